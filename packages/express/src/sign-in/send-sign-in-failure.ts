import type { Request, Response } from 'express';
import { type AppUrl, startPath } from '../http/app-url.js';
import { prefersHtml, sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import type { VisitorExchange } from './endpoint.js';
import { loginPath } from './login-path.js';
import type { SignInAttempt } from './sign-in-attempts.js';
import type { SignInFailure } from './sign-in-failure.js';
import { signInFailureTexts } from './sign-in-failure-texts.js';

const STATUS: Record<SignInFailure, number> = {
  declined: 403,
  already_used: 400,
  cookie_missing: 400,
  expired: 400,
  invalid_response: 400,
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
  /** True if the visitor is signed in nevertheless: in another tab, or with fewer scopes. */
  signedIn: boolean;
}

/** Custom page for failed sign-ins. */
export interface SignInPages {
  /** Status 400, 403, 502 or 503: the sign-in failed after the visitor returned from the service. */
  signInFailed?:
    | ((request: Request, response: Response, details: SignInFailedDetails) => unknown)
    | undefined;
}

interface FailureContext {
  app: AppUrl;
  pages: SignInPages;
  /** Option `scopes`. */
  scopes: readonly string[];
}

/** Sends the page or the JSON error of a failed sign-in. */
export async function sendSignInFailure(
  { app, pages, scopes }: FailureContext,
  { visitor, request, response }: VisitorExchange,
  { reason, attempt }: { reason: SignInFailure; attempt?: SignInAttempt },
): Promise<void> {
  const { signedIn } = visitor;
  const { title, message } = signInFailureTexts(reason, { signedIn });
  const status = STATUS[reason];
  if (!prefersHtml(request)) return sendError(response, status, { error: 'sign_in_failed', message });
  // The new attempt has the same destination and scopes.
  const retryUrl = loginPath(app, {
    returnTo: attempt?.returnTo.slice(app.appOrigin.length),
    scopes: attempt?.scopes.filter((scope) => !scopes.includes(scope)) ?? [],
  });
  response.status(status);
  if (pages.signInFailed !== undefined) {
    await pages.signInFailed(request, response, { reason, message, retryUrl, signedIn });
    return;
  }
  const links = [{ href: retryUrl, label: 'Try again' }];
  if (signedIn) links.unshift({ href: startPath(app), label: 'Continue' });
  const [link, otherLink] = links;
  sendPlainPage(response, { title, paragraphs: [message], link, otherLink });
}
