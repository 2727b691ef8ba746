/** Types of both elements in templates for Svelte 5. Activate them once: `import type {} from '@latchkey/widget/svelte'`. */
import type { HTMLAttributes } from 'svelte/elements';
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

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'latchkey-login': Props<LatchkeyLogin, LoginAttributes>;
    'latchkey-gate': Props<LatchkeyGate, GateAttributes>;
  }
}
