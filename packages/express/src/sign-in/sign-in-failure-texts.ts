import type { SignInFailure } from './sign-in-failure.js';

/** Texts of the page for a failed sign-in. */
export interface SignInFailureTexts {
  title: string;
  message: string;
}

const TEXTS: Record<SignInFailure, SignInFailureTexts> = {
  declined: {
    title: 'You are not signed in',
    message: 'You declined access, so nothing was shared with this site. You can sign in at any time.',
  },
  already_used: {
    title: 'This sign-in has already been used',
    message:
      'A sign-in works once. The Back button or a reload probably led you here. Please start a new sign-in.',
  },
  cookie_missing: {
    title: 'Sign-in could not be completed',
    message:
      'Your browser did not send the cookie of this sign-in. It may block cookies, you may have started in another browser, or more than ten minutes may have passed. Please try again.',
  },
  expired: {
    title: 'Sign-in took too long',
    message: 'For your security, a sign-in has to be completed within a few minutes. Please try again.',
  },
  invalid_response: {
    title: 'Sign-in could not be completed',
    message: 'This address does not belong to a sign-in of this site. Please start a new sign-in.',
  },
  refused: {
    title: 'Sign-in is not working at the moment',
    message:
      'The sign-in service rejected the request of this site. Please try again later. The site owner can find the reason in the log.',
  },
  service_unavailable: {
    title: 'Sign-in is not available right now',
    message: 'The sign-in service could not be reached. Please try again in a moment.',
  },
};

const TEXTS_WHILE_SIGNED_IN: Partial<Record<SignInFailure, SignInFailureTexts>> = {
  declined: {
    title: 'Nothing has changed',
    message: 'You declined access, so nothing more was shared with this site. You are still signed in.',
  },
  already_used: {
    title: 'You are already signed in',
    message:
      'This sign-in was completed before. The Back button or a reload probably led you here. You can continue.',
  },
  cookie_missing: {
    title: 'You are already signed in',
    message:
      'This address belongs to a sign-in that was completed before, or that started in another browser. You can continue.',
  },
};

export function signInFailureTexts(
  reason: SignInFailure,
  { signedIn }: { signedIn: boolean },
): SignInFailureTexts {
  return (signedIn ? TEXTS_WHILE_SIGNED_IN[reason] : undefined) ?? TEXTS[reason];
}
