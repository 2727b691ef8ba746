import { refreshTokenGrantRequest } from 'oauth4webapi';
import type { OAuthService } from './oauth-service.js';
import { requestTokenSet } from './token-endpoint.js';
import type { TokenSet } from './token-set.js';

/** Parameters of {@link refreshTokenSet}. */
export interface TokenRefresh {
  refreshToken: string;
  /** The scopes of the old token pair. They stay granted if the response names none. */
  scopes?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Rotates a refresh token: returns a new token pair and invalidates the old one, its access token included (RFC 6749
 * section 6). A refresh token works once, so allow only one refresh at a time.
 *
 * @throws OAuthClientError `invalid_grant` when the refresh token expired, was used before or was revoked: the user
 * must sign in again; `invalid_client`, `invalid_request`, and the errors of every request.
 */
export function refreshTokenSet(
  service: OAuthService,
  { refreshToken, scopes, signal }: TokenRefresh,
): Promise<TokenSet> {
  return requestTokenSet(service, {
    signal,
    scopes,
    refreshToken,
    request: ({ server, client, authentication, options }) =>
      refreshTokenGrantRequest(server, client, authentication, refreshToken, options),
  });
}
