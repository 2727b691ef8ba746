import { html, type TemplateResult } from 'lit';
import type { Messages } from '../messages/en.js';
import type { SessionSnapshot } from '../state/login-state.js';

export type Action = [label: string, onClick: () => void];

/** The text of the panel below the button, and its actions. Without actions, only screen readers receive the text. */
export type Panel = [text: string | TemplateResult, ...actions: Action[]];

/** The login element, as its panel uses it. */
interface Login {
  messages: Messages;
  signIn: () => void;
}

/** Returns the panel of a state that is no failure. */
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

/** Renders the text with the name in an element of its own, wherever the language puts it. */
function signedInAs(message: (name: string) => string, name: string): TemplateResult {
  const [before, after] = message('\n').split('\n');
  return html`${before}<b dir="auto">${name}</b>${after}`;
}
