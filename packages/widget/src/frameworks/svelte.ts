/** Types of the elements in templates for Svelte 5. Activate them once: `import type {} from '@latchkey/widget/svelte'`. */
import type { HTMLAttributes } from 'svelte/elements';
import type { LatchkeyJoin } from '../checkout/join-element.js';
import type { LatchkeyPlans } from '../checkout/plans-element.js';
import type { LatchkeyGate } from '../gate/gate-element.js';
import type { LatchkeyLogin } from '../login/login-element.js';
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
