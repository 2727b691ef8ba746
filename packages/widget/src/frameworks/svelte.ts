/** Types of the elements in templates for Svelte 5. Activate them once: `import type {} from '@latchkey/widget/svelte'`. */
import type { HTMLAttributes } from 'svelte/elements';
import type { LatchkeyGate } from '../elements/gate-element.js';
import type { LatchkeyJoin } from '../elements/join-element.js';
import type { LatchkeyLogin } from '../elements/login-element.js';
import type { LatchkeyPlans } from '../elements/plans-element.js';
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

type Props<Element extends EventTarget, Attributes, Properties = ElementProperties> = Omit<
  HTMLAttributes<Element>,
  keyof Attributes
> &
  Attributes &
  Camelized<Attributes> &
  Properties &
  EventHandlers;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'latchkey-login': Props<LatchkeyLogin, LoginAttributes, LoginProperties>;
    'latchkey-gate': Props<LatchkeyGate, GateAttributes>;
    'latchkey-plans': Props<LatchkeyPlans, PlansAttributes, CheckoutProperties>;
    'latchkey-join': Props<LatchkeyJoin, JoinAttributes, CheckoutProperties>;
  }
}
