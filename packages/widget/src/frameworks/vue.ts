/** Types of the elements in templates for Vue 3. Activate them once: `import type {} from '@latchkey/widget/vue'`. */
import type { HTMLAttributes, PublicProps } from 'vue';
import type { LatchkeyGate } from '../elements/gate-element.js';
import type { LatchkeyJoin } from '../elements/join-element.js';
import type { LatchkeyLogin } from '../elements/login-element.js';
import type { LatchkeyPlans } from '../elements/plans-element.js';
import type { WidgetEventMap } from '../events/widget-events.js';
import type {
  Camelized,
  CheckoutProperties,
  ElementProperties,
  EventHandlers,
  GateAttributes,
  JoinAttributes,
  LoginAttributes,
  LoginProperties,
  PlansAttributes,
} from './element-props.js';

/** Vue maps `@latchkey-signed-in` in a template to `onLatchkeySignedIn`. */
type VueHandlers = {
  [Type in keyof Camelized<WidgetEventMap> as `on${Capitalize<Type>}`]?: (
    event: Camelized<WidgetEventMap>[Type],
  ) => void;
};

type ElementComponent<Element, Attributes, Properties = ElementProperties> = new () => Element & {
  $props: Attributes &
    Camelized<Attributes> &
    Properties &
    EventHandlers &
    VueHandlers &
    Omit<HTMLAttributes, keyof Attributes> &
    PublicProps;
};

declare module 'vue' {
  interface GlobalComponents {
    'latchkey-login': ElementComponent<LatchkeyLogin, LoginAttributes, LoginProperties>;
    'latchkey-gate': ElementComponent<LatchkeyGate, GateAttributes>;
    'latchkey-plans': ElementComponent<LatchkeyPlans, PlansAttributes, CheckoutProperties>;
    'latchkey-join': ElementComponent<LatchkeyJoin, JoinAttributes, CheckoutProperties>;
  }
}
