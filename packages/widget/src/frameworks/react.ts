/** Types of both elements in JSX for React 19. Activate them once: `import type {} from '@latchkey/widget/react'`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { LatchkeyGate } from '../elements/gate-element.js';
import type { LatchkeyLogin } from '../elements/login-element.js';
import type {
  Camelized,
  ElementProperties,
  EventHandlers,
  GateAttributes,
  LoginAttributes,
} from './element-props.js';

type Props<Element, Attributes> = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
  Attributes &
  Camelized<Attributes> &
  ElementProperties &
  EventHandlers;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'latchkey-login': Props<LatchkeyLogin, LoginAttributes>;
      'latchkey-gate': Props<LatchkeyGate, GateAttributes>;
    }
  }
}
