import { authorizationCodeGrantRequest, validateAuthResponse } from 'oauth4webapi';
import type { OAuthService } from './oauth-service.js';
import { requestTokenSet } from './token-endpoint.js';
import type { TokenSet } from './token-set.js';

/** Parameters of {@link exchangeCode}. */
export interface CodeExchange {
  /** The result of {@link readAuthorizationResponse}. */
  code: string;
  /** The redirect URI of the authorization request. */
  redirectUri: string;
  /** The verifier whose challenge was sent in the authorization request. */
  codeVerifier: string;
  /** The scopes of the authorization request. They are granted if the response names none (RFC 6749 section 5.1). */
  scopes?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Redeems an authorization code (spec, "POST /oauth/token"; RFC 6749 section 4.1.3). A code works once: after any
 * failure, start a new sign-in instead of retrying.
 *
 * @throws OAuthClientError `invalid_grant` when the code expired, was used before or belongs to another verifier;
 * `invalid_client`, `invalid_request`, and the errors of every request.
 */
export function exchangeCode(service: OAuthService, exchange: CodeExchange): Promise<TokenSet> {
  const { code, redirectUri, codeVerifier, scopes, signal } = exchange;
  return requestTokenSet(service, {
    signal,
    scopes,
    request: async ({ server, client, authentication, options }) => {
      // oauth4webapi redeems only what it validated. The state was checked where the code was received.
      const validated = validateAuthResponse(server, client, new URLSearchParams({ code }));
      return authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        validated,
        redirectUri,
        codeVerifier,
        options,
      );
    },
  });
}
