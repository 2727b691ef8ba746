/** Types of the elements in templates for Vue 3. Activate them once: `import type {} from '@latchkey/widget/vue'`. */
import type { HTMLAttributes, PublicProps } from 'vue';
import type { WidgetEventMap } from '../state/widget-events.js';
import type { Camelized, Elements, Props } from './element-props.js';

/** Vue maps `@latchkey-signed-in` in a template to `onLatchkeySignedIn`. */
type VueHandlers = {
  [Type in keyof Camelized<WidgetEventMap> as `on${Capitalize<Type>}`]?: (
    event: Camelized<WidgetEventMap>[Type],
  ) => void;
};

type InVue = {
  [Tag in keyof Elements]: new () => Elements[Tag][0] & {
    $props: Props<Tag, HTMLAttributes> & VueHandlers & PublicProps;
  };
};

declare module 'vue' {
  interface GlobalComponents extends InVue {}
}
