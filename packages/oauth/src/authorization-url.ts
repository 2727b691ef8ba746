import { characterCount, PATHS, STATE_MAX_LENGTH } from '@latchkey/contract/constants';
import { misconfigured } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';

/** Parameters of an authorization request (spec, "GET /oauth/authorize"). */
export interface AuthorizationRequest {
  /** Must equal a redirect URI that is registered for the client. */
  redirectUri: string;
  /** At least one of `memberships.read` and `products.read`. */
  scopes: readonly string[];
  /** Returned with the authorization response; at most 1024 characters. */
  state: string;
  /** Part of the pair that {@link createPkcePair} returns. */
  codeChallenge: string;
}

/**
 * Builds the URL of the sign-in page. Synchronous and without a request, so that `window.open` can follow in the same
 * click.
 *
 * @throws OAuthClientError `invalid_configuration` when an option is invalid, there is no scope, or `state` is empty or
 * too long.
 */
export function authorizationUrl(service: OAuthService, request: AuthorizationRequest): string {
  const { redirectUri, scopes, state, codeChallenge } = request;
  const endpoint = endpointUrl(service, PATHS.authorize);
  if (scopes.length === 0) throw misconfigured('scopes is empty. The service requires at least one scope.');
  if (state === '' || characterCount(state) > STATE_MAX_LENGTH) {
    throw misconfigured(`state must have 1 to ${STATE_MAX_LENGTH} characters; got ${characterCount(state)}.`);
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
