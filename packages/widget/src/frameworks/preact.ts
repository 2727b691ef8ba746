/** Types of the elements in JSX for Preact. Activate them once: `import type {} from '@latchkey/widget/preact'`. */
import type { HTMLAttributes } from 'preact';
import type { Elements, Props } from './element-props.js';

type InPreact = { [Tag in keyof Elements]: Props<Tag, HTMLAttributes<Elements[Tag][0]>> };

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends InPreact {}
  }
}
