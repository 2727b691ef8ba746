import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/en.js';
import type { SessionSnapshot } from '../state/login-state.js';

export type Action = [label: string, onClick: () => void];

/** The panel's message and its actions. Without actions, only screen readers get the message. */
export type Panel = [text: string | TemplateResult, ...actions: Action[]];

/** The parts of the login element that its panel uses. */
interface Login {
  messages: Messages;
  signIn: () => void;
}

/** Returns the panel of a state other than a failure. */
export function statusPanel(
  { messages, signIn }: Login,
  { status, user }: SessionSnapshot,
  dismiss: () => void,
): Panel {
  const cancel: Action = [messages.cancel, dismiss];
  switch (status) {
    case 'waiting':
      return [messages.waiting, [messages.showWindow, signIn], cancel];
    case 'expired':
      return [messages.expired, [messages.signInAgain, signIn], [messages.dismiss, dismiss]];
    case 'signed-in':
      return [user?.email ? signedInAs(messages.signedInAs, user.email) : messages.signedIn];
    case 'opening':
    case 'exchanging':
      return [messages[status], cancel];
    default:
      return [''];
  }
}

/** Renders the message with the name in a separate element, wherever the language puts it. */
function signedInAs(message: (name: string) => string, name: string): TemplateResult {
  const [before, after] = message('\n').split('\n');
  return html`${before}<b dir="auto">${name}</b>${after}`;
}
