/** Types of both elements in JSX for Preact. Activate them once: `import type {} from '@latchkey/widget/preact'`. */
import type { HTMLAttributes } from 'preact';
import type { LatchkeyGate } from '../elements/gate-element.js';
import type { LatchkeyLogin } from '../elements/login-element.js';
import type {
  Camelized,
  ElementProperties,
  EventHandlers,
  GateAttributes,
  LoginAttributes,
} from './element-props.js';

type Props<Element extends EventTarget, Attributes> = Omit<HTMLAttributes<Element>, keyof Attributes> &
  Attributes &
  Camelized<Attributes> &
  ElementProperties &
  EventHandlers;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'latchkey-login': Props<LatchkeyLogin, LoginAttributes>;
      'latchkey-gate': Props<LatchkeyGate, GateAttributes>;
    }
  }
}
