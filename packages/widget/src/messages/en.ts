import type { LoginFailureCode } from '../state/login-failure.js';
import type { PlansMessages } from './plans-en.js';

/** All texts of the widget, in English. */
export const en = {
  locale: 'en',

  signIn: 'Sign in',
  signOut: 'Sign out',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  signInAgain: 'Sign in again',
  dismiss: 'Dismiss',
  showWindow: 'Show the window',

  opening: 'Opening the sign-in window…',
  waiting: 'Continue in the sign-in window.',
  exchanging: 'Finishing sign-in…',
  expired: 'Your session has ended. Sign in again to go on.',

  signedIn: 'You are signed in',
  signedInAs: (name: string) => `Signed in as ${name}`,
  account: 'Your account',
  noMemberships: 'No active membership',
  manageAccount: 'Manage account',
  switchAccount: 'Switch account',
  until: (date: string) => `until ${date}`,
  unlimited: 'Lifetime',
  kinds: {
    community: 'Community membership',
    digital_product: 'Digital product',
    clipping_campaign: 'Clipping campaign',
    agency: 'Agency',
  } as Record<string, string>,
  otherKind: 'Membership',

  stillSignedIn: 'You are still signed in.',
  errorCode: (code: string) => `Error code: ${code}`,
  failures: {
    popup_blocked: 'Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.',
    popup_closed: 'The sign-in window was closed before you were done.',
    opener_severed: 'The sign-in window cannot answer this page. Please tell the owner of this site.',
    origin_refused: 'This site is not allowed to receive your sign-in. Please tell its owner.',
    state_mismatch: 'This sign-in has expired. Try again.',
    access_denied: 'You declined, so nothing was shared with this site.',
    code_expired: 'This sign-in took too long and has expired. Try again.',
    network: 'No connection. Check that you are online, then try again.',
    script_missing: 'A part of this page did not load. Try again, or reload the page.',
    service_error: 'The sign-in service has a problem. Please try again in a moment.',
    cookies_blocked:
      'Your browser blocks the cookies of this site. Allow cookies for this site, then try again.',
    insecure_context: 'Sign-in works on secure (https) pages only. Please tell the owner of this site.',
    misconfigured: 'Sign-in is not set up correctly here. Please tell the owner of this site.',
  } satisfies Record<LoginFailureCode, string>,

  gate: {
    loading: 'Looking up your membership…',
    'signed-out': 'This part is for members. Sign in to see it.',
    locked: 'Your membership doesn’t include this.',
    none: 'This part is for members. This account has no active membership.',
    error: 'Your membership could not be looked up, so this part stays closed for now.',
  },
};

/** The texts of one language. `latchkey-plans.js` contains the English texts of the plans. */
export type Messages = typeof en & { plans?: Partial<PlansMessages> };

/** Some of the texts of a language, also of its groups such as `failures`. */
export type OwnMessages = {
  [Name in keyof Messages]?: Messages[Name] extends string | ((value: string) => string)
    ? Messages[Name]
    : Partial<Messages[Name]>;
};
