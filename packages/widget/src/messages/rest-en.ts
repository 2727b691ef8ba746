import type { LoginFailureCode } from '../state/login-failure.js';

/** English messages for the account menu, and for what follows a click. */
export const restEn = {
  signInAgain: 'Sign in again',
  exchanging: 'Finishing sign-in…',
  expired: 'Your session has ended. Sign in again to go on.',
  signedIn: 'You are signed in',
  signedInAs: (name: string) => `Signed in as ${name}`,
  showWindow: 'Show the window',
  waiting: 'Continue in the sign-in window.',
  stillSignedIn: 'You are still signed in.',

  signOut: 'Sign out',
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

  failures: {
    popup_closed: 'The sign-in window was closed before you were done.',
    opener_severed: 'The sign-in window cannot answer this page. Please tell the owner of this site.',
    origin_refused: 'This site is not allowed to receive your sign-in. Please tell its owner.',
    state_mismatch: 'This sign-in has expired. Try again.',
    access_denied: 'You declined, so nothing was shared with this site.',
    code_expired: 'This sign-in took too long and has expired. Try again.',
    cookies_blocked:
      'Your browser blocks the cookies of this site. Allow cookies for this site, then try again.',
    insecure_context: 'Sign-in works on secure (https) pages only. Please tell the owner of this site.',
  },
};

export type RestMessages = Omit<typeof restEn, 'failures'> & { failures: Record<LoginFailureCode, string> };
