/** Types of the elements in JSX for React 19. Activate them once: `import type {} from '@latchkey/widget/react'`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Elements, Props } from './element-props.js';

type InReact = {
  [Tag in keyof Elements]: Props<Tag, DetailedHTMLProps<HTMLAttributes<Elements[Tag][0]>, Elements[Tag][0]>>;
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends InReact {}
  }
}
