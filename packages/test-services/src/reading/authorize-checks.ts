import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH, STATE_MAX_LENGTH } from '@latchkey/contract/constants';
import { type OAuthError, oauthError } from '../messages/oauth-error.js';
import type { FakeClient } from '../state/clients.js';

/** An authorization request and the client that it names, if the service knows it. */
export interface AuthorizeRequest {
  query: URLSearchParams;
  client: FakeClient | undefined;
}

/** Returns the error that is not redirected, or undefined if the request satisfies the check. */
export type AuthorizeCheck = (request: AuthorizeRequest) => OAuthError | undefined;

export const namesKnownClient: AuthorizeCheck = ({ client }) =>
  client === undefined ? invalidRequest('client_id is unknown.') : undefined;

export const hasChallengeIfPublic: AuthorizeCheck = ({ query, client }) =>
  client?.secret === undefined && !query.has('code_challenge')
    ? invalidRequest('A public client must send code_challenge.')
    : undefined;

export const hasRegisteredRedirectUri: AuthorizeCheck = ({ query, client }) => {
  const redirectUri = query.get('redirect_uri') ?? '';
  const isRegistered = client?.redirectUris?.includes(redirectUri) ?? URL.canParse(redirectUri);
  return isRegistered ? undefined : invalidRequest('redirect_uri is not registered.');
};

export const hasScope: AuthorizeCheck = ({ query }) =>
  query.get('scope') ? undefined : invalidRequest('scope is missing.');

export const hasStateOfAllowedLength: AuthorizeCheck = ({ query }) =>
  (query.get('state')?.length ?? 0) <= STATE_MAX_LENGTH
    ? undefined
    : invalidRequest('state is longer than 1024 characters.');

export const hasSupportedChallenge: AuthorizeCheck = ({ query }) => {
  const length = query.get('code_challenge')?.length ?? PKCE_MIN_LENGTH;
  const method = query.get('code_challenge_method') ?? 'S256';
  return length >= PKCE_MIN_LENGTH && length <= PKCE_MAX_LENGTH && method === 'S256'
    ? undefined
    : invalidRequest('code_challenge must be the S256 challenge of a verifier.');
};

function invalidRequest(description: string): OAuthError {
  return oauthError(400, 'invalid_request', description);
}
