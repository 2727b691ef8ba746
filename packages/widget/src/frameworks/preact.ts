/** Types of the elements in JSX for Preact. Activate them once: `import type {} from '@latchkey/widget/preact'`. */
import type { HTMLAttributes } from 'preact';
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

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'latchkey-login': Props<LatchkeyLogin, LoginAttributes, LoginProperties>;
      'latchkey-gate': Props<LatchkeyGate, GateAttributes>;
      'latchkey-plans': Props<LatchkeyPlans, PlansAttributes, CheckoutProperties>;
      'latchkey-join': Props<LatchkeyJoin, JoinAttributes, CheckoutProperties>;
    }
  }
}
