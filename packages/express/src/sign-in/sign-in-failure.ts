import type { OAuthClientError } from '@latchkey/oauth';
import type { Request, Response } from 'express';
import { startPath } from '../http/app-url.js';
import { sendError } from '../http/json-error.js';
import type { Text } from '../http/language.js';
import { sendPlainPage } from '../http/plain-page.js';
import { prefersHtml } from '../http/request-kind.js';
import { isOutage } from '../platform/service-failure.js';
import type { Needs } from '../session/kit.js';
import type { Visit } from '../session/visitor.js';
import { loginPath } from './return-to.js';

/**
 * Reasons for a failed sign-in:
 * - `declined`: the visitor didn't consent.
 * - `already_used`: this sign-in was completed before (Back button, reload).
 * - `cookie_missing`: the browser didn't send the attempt's cookie.
 * - `expired`: more than ten minutes passed, or the service's code expired.
 * - `invalid_response`: the callback URL lacks required parameters, or the attempt's cookie can't be decrypted.
 * - `code_rejected`: the service rejected a code that can't have expired yet. The log contains its error.
 * - `refused`: the service rejected the request. The log contains its error.
 * - `service_unavailable`: the service didn't respond, or the session store failed.
 */
export type SignInFailure =
  | 'declined'
  | 'already_used'
  | 'cookie_missing'
  | 'expired'
  | 'invalid_response'
  | 'code_rejected'
  | 'refused'
  | 'service_unavailable';

/** Maps an error of the authorization response or the code exchange to a reason. */
export function failureOfError(error: OAuthClientError): SignInFailure {
  if (error.code === 'access_denied') return 'declined';
  if (error.code === 'invalid_grant') return 'expired';
  if (error.code === 'state_mismatch') return 'invalid_response';
  return isOutage(error) ? 'service_unavailable' : 'refused';
}

const STATUS: Record<SignInFailure, number> = {
  declined: 403,
  already_used: 400,
  cookie_missing: 400,
  expired: 400,
  invalid_response: 400,
  code_rejected: 400,
  refused: 502,
  service_unavailable: 503,
};

/** Details for `pages.signInFailed`. */
export interface SignInFailedDetails {
  reason: SignInFailure;
  /** The reason as a sentence for the visitor. */
  message: string;
  /** URL for a "Try again" link. */
  retryUrl: string;
  /** True if the visitor is signed in anyway: in another tab, or with fewer scopes. */
  signedIn: boolean;
}

/** Custom page for failed sign-ins. */
export interface SignInPages {
  /** Status 400, 403, 502 or 503: the sign-in failed after the visitor returned from the service. */
  signInFailed?:
    | ((request: Request, response: Response, details: SignInFailedDetails) => unknown)
    | undefined;
}

/** Sends the page or the JSON error of a failed sign-in. */
export async function sendSignInFailure(
  { app, pages, scopes }: Needs<'app' | 'scopes'> & { pages: SignInPages },
  { visitor, request, response }: Visit,
  {
    reason,
    attempt,
  }: { reason: SignInFailure; attempt?: { readonly returnTo: string; readonly scopes: readonly string[] } },
): Promise<void> {
  const { signedIn } = visitor;
  const { title, message } = signInFailureTexts(reason, { signedIn });
  const status = STATUS[reason];
  if (!prefersHtml(request)) return sendError(response, status, { error: 'sign_in_failed', message });
  // The new attempt has the same destination and scopes.
  const retryUrl = loginPath(app, {
    returnTo: attempt?.returnTo.slice(app.appOrigin.length),
    scopes: attempt?.scopes.filter((scope) => !scopes.some((each) => each === scope)) ?? [],
  });
  response.status(status);
  const t = visitor.textsFor(pages.signInFailed);
  if (pages.signInFailed !== undefined) {
    await pages.signInFailed(request, response, { reason, message: t(message), retryUrl, signedIn });
    return;
  }
  const links = [{ href: retryUrl, label: t('Try again') }];
  if (signedIn) links.unshift({ href: startPath(app), label: t('Continue') });
  const [link, otherLink] = links;
  sendPlainPage(response, t, { title: t(title), paragraphs: [t(message)], link, otherLink });
}

type SignInFailureTexts = Readonly<Record<'title' | 'message', Text>>;

const REJECTED: SignInFailureTexts = {
  title: 'Sign-in could not be completed',
  message:
    'The sign-in service rejected this sign-in. Please start a new one. If that fails too, the site owner can find the reason in the log.',
};

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
  code_rejected: REJECTED,
  refused: REJECTED,
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

function signInFailureTexts(reason: SignInFailure, { signedIn }: { signedIn: boolean }): SignInFailureTexts {
  return (signedIn ? TEXTS_WHILE_SIGNED_IN[reason] : undefined) ?? TEXTS[reason];
}
