/** Types of the elements in templates for Vue 3. Activate them once: `import type {} from '@latchkey/widget/vue'`. */
import type { HTMLAttributes, PublicProps } from 'vue';
import type { LatchkeyJoin } from '../checkout/join-element.js';
import type { LatchkeyPlans } from '../checkout/plans-element.js';
import type { LatchkeyGate } from '../gate/gate-element.js';
import type { LatchkeyLogin } from '../login/login-element.js';
import type { WidgetEventMap } from '../state/widget-events.js';
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
