import { PATHS } from '@latchkey/contract/constants';
import type { Response } from 'express';
import type { CheckedAuthorization } from '../../domain/oauth/check-authorization.js';
import { invalidRequest, sendOAuthError } from '../../platform/http/oauth-error.js';
import { redirect } from '../../platform/http/redirect.js';

/** Answers a refused request: 400 JSON, or 302 with `error` and `state` to the checked redirect URI. */
export function sendAuthorizationRefusal(
  response: Response,
  { refusal, parameters }: Extract<CheckedAuthorization, { kind: 'refused' }>,
): void {
  if (refusal.answer === 'bad-request') {
    sendOAuthError(response, invalidRequest(refusal.description));
    return;
  }
  const { redirectUri, state } = parameters;
  if (redirectUri === undefined) throw new Error('A refusal by redirect needs a redirect URI.');
  sendAuthorizationResponse(response, { redirectUri, state }, { error: refusal.error });
}

/** Sends the browser back to the client with `code` or `error`, and `state` when the request carried one. */
export function sendAuthorizationResponse(
  response: Response,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  answer: { code: string } | { error: 'access_denied' | 'invalid_scope' },
): void {
  const query = new URLSearchParams({ ...answer, ...(state !== undefined && { state }) });
  // A registered redirect URI may have a query of its own, which stays as it is (RFC 6749 section 3.1.2).
  redirect(response, 302, `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}

/** The root-relative address of `GET /oauth/authorize` for the same request. */
export function authorizePath(query: Readonly<Record<string, string>>): string {
  return `${PATHS.authorize}?${new URLSearchParams(query)}`;
}
