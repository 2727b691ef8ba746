import { PATHS } from '@latchkey/contract/constants';
import {
  authorizationCodeGrantRequest,
  processGenericTokenEndpointResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
} from 'oauth4webapi';
import { misconfigured } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { callProtocol, type ProtocolCall } from './protocol-call.js';
import { unreadable } from './service-request.js';

/** Result of a code exchange or a refresh (spec, "Token pair"). */
export interface TokenSet {
  /** Opaque. Authorizes requests to the resource endpoints. */
  accessToken: string;
  /**
   * Opaque. Good for one refresh, within 30 days. `undefined` if the service issued none: the user then has to sign in
   * again at `expiresAt`.
   */
  refreshToken?: string | undefined;
  /** Expiry of the access token, in milliseconds since the epoch. Never later than its expiry at the service. */
  expiresAt: number;
  /** The granted scopes; the requested ones if the response doesn't list any. */
  scopes: string[];
}

/** Parameters of {@link exchangeCode}. */
export interface CodeExchange {
  /** The result of {@link readAuthorizationResponse}. */
  code: string;
  /** The redirect URI of the authorization request. */
  redirectUri: string;
  /** The verifier for the challenge in the authorization request. */
  codeVerifier: string;
  /**
   * The scopes of the authorization request. They are granted if the response doesn't list any (RFC 6749 section 5.1).
   */
  scopes?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Redeems an authorization code (spec, "POST /oauth/token"; RFC 6749 section 4.1.3). A code works once, so after any
 * failure start a new sign-in instead of retrying.
 *
 * @throws OAuthClientError `invalid_grant` when the code expired, was used before or belongs to another verifier;
 * `invalid_client`, `invalid_request`, and the errors that every request can have.
 */
export function exchangeCode(service: OAuthService, exchange: CodeExchange): Promise<TokenSet> {
  const { code, redirectUri, codeVerifier, scopes, signal } = exchange;
  return requestTokenSet(service, {
    signal,
    scopes,
    request: async ({ server, client, authentication, options }) => {
      // oauth4webapi redeems only what it has validated. The state was checked when the code was received.
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

/** Parameters of {@link refreshTokenSet}. */
export interface TokenRefresh {
  refreshToken: string;
  /** The scopes of the old token pair. They stay granted if the response doesn't list any. */
  scopes?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Rotates a refresh token: returns a new token pair and invalidates the old one, including its access token (RFC 6749
 * section 6). A refresh token works once, so run only one refresh at a time.
 *
 * @throws OAuthClientError `invalid_grant` when the refresh token expired, was used before or was revoked: the user
 * must sign in again; `invalid_client`, `invalid_request`, and the errors that every request can have.
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

/** What differs between the grants of a token request. */
interface TokenGrant extends Pick<ProtocolCall<unknown>, 'request' | 'signal'> {
  /** The requested scopes. A response without `scope` grants them (RFC 6749 section 5.1). */
  scopes: readonly string[] | undefined;
  /** The refresh token that was sent. A response without a new one keeps it valid (RFC 6749 section 6). */
  refreshToken?: string;
}

/** Requests a token pair from the token endpoint (spec, "POST /oauth/token"). */
async function requestTokenSet(
  service: OAuthService,
  { scopes = [], refreshToken: sent, ...grant }: TokenGrant,
): Promise<TokenSet> {
  const { clock = Date } = service;
  const endpoint = endpointUrl(service, PATHS.token);
  // Read before the request is sent, so a token never expires at the service before `expiresAt`.
  const sentAt = clock.now();
  const pair = await callProtocol(service, {
    endpoint,
    ...grant,
    process: processGenericTokenEndpointResponse,
  });
  const { access_token: accessToken, refresh_token: refreshToken = sent, token_type: type, scope } = pair;
  if (type !== 'bearer') throw unreadable(endpoint, 'the token type is not Bearer');
  return {
    accessToken,
    refreshToken,
    expiresAt: sentAt + Number(pair.expires_in) * 1000,
    scopes: scope === undefined ? [...scopes] : scope.split(/[ ,]+/).filter(Boolean),
  };
}

/** Parameters of {@link revokeToken}. */
export interface TokenRevocation {
  /** An access token or a refresh token. */
  token: string;
  /** The type of the token, if known. */
  hint?: 'access_token' | 'refresh_token' | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Revokes a token at the service (spec, "POST /oauth/revoke"; RFC 7009). Succeeds for an unknown token too.
 *
 * @throws OAuthClientError `invalid_configuration` without a `clientSecret` (the service doesn't let public clients
 * revoke: to sign out, delete the tokens); `invalid_client`, and the errors that every request can have.
 */
export async function revokeToken(service: OAuthService, revocation: TokenRevocation): Promise<void> {
  const endpoint = endpointUrl(service, PATHS.revoke);
  const { token, hint, signal } = revocation;
  if (service.clientSecret === undefined) {
    throw misconfigured(
      'Only a confidential client can revoke tokens. Set clientSecret, or delete the tokens instead.',
    );
  }
  await callProtocol(service, {
    endpoint,
    signal,
    request: ({ server, client, authentication, options }) =>
      revocationRequest(server, client, authentication, token, {
        ...options,
        ...(hint && { additionalParameters: { token_type_hint: hint } }),
      }),
    process: (_server, _client, response) => processRevocationResponse(response),
  });
}
