/** Types of the elements in templates for Svelte 5. Activate them once: `import type {} from '@latchkey/widget/svelte'`. */
import type { HTMLAttributes } from 'svelte/elements';
import type { Elements, Props } from './element-props.js';

type InSvelte = { [Tag in keyof Elements]: Props<Tag, HTMLAttributes<Elements[Tag][0]>> };

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends InSvelte {}
}
