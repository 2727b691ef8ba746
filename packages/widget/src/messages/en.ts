import type { PlansMessages } from './plans-en.js';
import type { RestMessages } from './rest-en.js';

/** The English messages that can show before the rest of the widget has loaded, which adds the others to {@link en}. */
const first = {
  locale: 'en',

  signIn: 'Sign in',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',

  opening: 'Opening the sign-in window…',

  account: 'Your account',

  errorCode: (code: string) => `Error code: ${code}`,
  failures: {
    popup_blocked: 'Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.',
    network: 'No connection. Check that you are online, then try again.',
    script_missing: 'A part of this page did not load. Reload the page, or update your browser.',
    service_error: 'The sign-in service has a problem. Please try again in a moment.',
    misconfigured: 'Sign-in is not set up correctly here. Please tell the owner of this site.',
  },

  gate: {
    loading: 'Looking up your membership…',
    'signed-out': 'This part is for members. Sign in to see it.',
    locked: 'Your membership doesn’t include this.',
    none: 'This part is for members. This account has no active membership.',
    error: 'Your membership could not be looked up, so this part stays closed for now.',
  },
};

/** All of the widget's messages, in English. */
export const en = first as typeof first & RestMessages;

/** The messages of one language. `latchkey-plans.js` adds the English ones for plans. */
export type Messages = typeof en & { plans?: Partial<PlansMessages> };

/** Some of a language's messages, also within groups such as `failures`. */
export type OwnMessages = {
  [Name in keyof Messages]?: Messages[Name] extends string | ((value: string) => string)
    ? Messages[Name]
    : Partial<Messages[Name]>;
};
