import { PATHS } from '@latchkey/contract/constants';
import type { Response } from 'express';
import type { CheckedAuthorization } from '../../domain/oauth/check-authorization.js';
import { invalidRequest, sendOAuthError } from '../../platform/http/oauth-error.js';
import { redirect } from '../../platform/http/redirect.js';

/** Sends the response to a rejected request: 400 JSON, or 302 with `error` and `state` to the verified redirect URI. */
export function sendAuthorizationRejection(
  response: Response,
  { rejection, parameters }: Extract<CheckedAuthorization, { kind: 'rejected' }>,
): void {
  if (rejection.kind === 'bad-request') {
    sendOAuthError(response, invalidRequest(rejection.description));
    return;
  }
  const { redirectUri, state } = parameters;
  if (redirectUri === undefined) throw new Error('A rejection by redirect requires a redirect URI.');
  sendAuthorizationResponse(response, { redirectUri, state }, { error: rejection.error });
}

/** Redirects the browser to the client with `code` or `error`, and with `state` if the request had one. */
export function sendAuthorizationResponse(
  response: Response,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  result: { code: string } | { error: 'access_denied' | 'invalid_scope' },
): void {
  const query = new URLSearchParams({ ...result, ...(state !== undefined && { state }) });
  // Keeps the query of the registered redirect URI (RFC 6749 section 3.1.2).
  redirect(response, 302, `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}

/** Returns the root-relative path of `GET /oauth/authorize` for the same request. */
export function authorizePath(query: Readonly<Record<string, string>>): string {
  return `${PATHS.authorize}?${new URLSearchParams(query)}`;
}
