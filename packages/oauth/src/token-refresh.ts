import type { OAuthService } from './oauth-service.js';
import { requestTokenSet } from './token-endpoint.js';
import type { TokenSet } from './token-set.js';

/** What a refresh takes. */
export interface TokenRefresh {
  refreshToken: string;
  signal?: AbortSignal | undefined;
}

/**
 * Trades a refresh token for a new pair (RFC 6749 section 6). The old pair, its access token included, ends at once;
 * a refresh token works once, so let only one caller at a time refresh.
 *
 * @throws OAuthClientError `invalid_grant` when the refresh token is expired, spent or revoked: the user has to sign
 * in again; `invalid_client`, `invalid_request`, and those of every request.
 */
export function refreshTokenSet(service: OAuthService, refresh: TokenRefresh): Promise<TokenSet> {
  return requestTokenSet(service, {
    grantType: 'refresh_token',
    parameters: { refresh_token: refresh.refreshToken },
    signal: refresh.signal,
  });
}
