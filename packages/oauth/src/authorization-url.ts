import { PATHS, STATE_MAX_LENGTH } from '@latchkey/contract/constants';
import { misconfigured } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';

/** One authorization request (spec, "GET /oauth/authorize"). */
export interface AuthorizationRequest {
  /** Registered for the client, to the letter. */
  redirectUri: string;
  /** `memberships.read`, `products.read`; at least one. */
  scopes: readonly string[];
  /** Comes back with the answer; at most 1024 characters. */
  state: string;
  /** Of {@link createPkcePair}. */
  codeChallenge: string;
}

/**
 * Where to send the user to sign in. Makes no request, so that `window.open` can follow in the same click.
 *
 * @throws OAuthClientError `invalid_configuration`, also when there is no scope or `state` is empty or too long.
 */
export function authorizationUrl(service: OAuthService, request: AuthorizationRequest): string {
  const { redirectUri, scopes, state, codeChallenge } = request;
  const endpoint = endpointUrl(service, PATHS.authorize);
  if (scopes.length === 0) throw misconfigured('scopes is empty: the service wants at least one.');
  if (state === '' || state.length > STATE_MAX_LENGTH) {
    throw misconfigured(`state must have 1 to ${STATE_MAX_LENGTH} characters, not ${state.length}.`);
  }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: service.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });
  return `${endpoint}?${query}`;
}
