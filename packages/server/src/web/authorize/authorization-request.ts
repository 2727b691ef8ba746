import { isOAuthScope, type OAuthScope, PATHS, parseScopeList } from '@latchkey/contract/constants';
import type { Response } from 'express';
import {
  type AuthorizationParameters,
  readAuthorizationParameters,
  writeAuthorizationParameters,
} from '../../domain/oauth/authorization-parameters.js';
import { type AuthorizationRefusal, judgeAuthorization } from '../../domain/oauth/authorization-steps.js';
import { findClient, type OAuthClient } from '../../domain/oauth/clients.js';
import type { Database } from '../../platform/database/open-database.js';
import { invalidRequest, sendOAuthError } from '../../platform/http/oauth-error.js';
import { redirect } from '../../platform/http/redirect.js';

/** An authorization request that passed every check. */
interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
  scopes: readonly OAuthScope[];
  state: string | undefined;
  codeChallenge: string | undefined;
  /** The parameters, to ask for the same again. */
  query: Readonly<Record<string, string>>;
}

/** What the checks of an authorization request came to. */
export type CheckedAuthorization =
  | { kind: 'valid'; request: AuthorizationRequest }
  | { kind: 'refused'; refusal: AuthorizationRefusal; parameters: AuthorizationParameters };

/** Reads and checks an authorization request: the same for authorize, consent, and the form of consent. */
export async function checkAuthorization(
  db: Database,
  query: URLSearchParams,
): Promise<CheckedAuthorization> {
  const parameters = readAuthorizationParameters(query);
  const { clientId, redirectUri, scope = '', state, codeChallenge } = parameters;
  const client = clientId === undefined ? undefined : await findClient(db, clientId);
  const refusal = judgeAuthorization({ parameters, client });
  if (refusal !== undefined) return { kind: 'refused', refusal, parameters };
  if (client === undefined || redirectUri === undefined) {
    throw new Error('The authorization steps let a request pass without a client or a redirect URI.');
  }
  return {
    kind: 'valid',
    request: {
      client,
      redirectUri,
      scopes: parseScopeList(scope).filter(isOAuthScope),
      state,
      codeChallenge,
      query: writeAuthorizationParameters(parameters),
    },
  };
}

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
