import type { OAuthService } from './oauth-service.js';
import { requestTokenSet } from './token-endpoint.js';
import type { TokenSet } from './token-set.js';

/** What redeeming a code takes. */
export interface CodeExchange {
  /** Of {@link readAuthorizationResponse}. */
  code: string;
  /** The one that the authorization request named. */
  redirectUri: string;
  /** The one whose challenge the authorization request carried. */
  codeVerifier: string;
  signal?: AbortSignal | undefined;
}

/**
 * Redeems an authorization code (spec, "POST /oauth/token"; RFC 6749 section 4.1.3). A code is spent by the attempt:
 * never try again with the same one.
 *
 * @throws OAuthClientError `invalid_grant` when the code is expired, used, or not this verifier's; `invalid_client`,
 * `invalid_request`, and those of every request.
 */
export function exchangeCode(service: OAuthService, exchange: CodeExchange): Promise<TokenSet> {
  const { code, redirectUri, codeVerifier, signal } = exchange;
  return requestTokenSet(service, {
    grantType: 'authorization_code',
    parameters: { code, redirect_uri: redirectUri, code_verifier: codeVerifier },
    signal,
  });
}
