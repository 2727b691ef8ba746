import { ACCESS_TOKEN_LIFETIME_SECONDS, PATHS } from '@latchkey/contract/constants';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretPost,
  type CustomFetchOptions,
  customFetch,
  None,
  processGenericTokenEndpointResponse,
  processRevocationResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
} from 'oauth4webapi';
import { misconfigured, OAuthClientError } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import {
  jsonObject,
  type ServiceResponse,
  type StatusCodes,
  sendRequest,
  serviceError,
  textOf,
  unreadable,
} from './service-request.js';

/** One request to an OAuth endpoint, built and checked by oauth4webapi. */
interface ProtocolCall<Result> {
  endpoint: string;
  signal?: AbortSignal | undefined;
  request: (shared: ReturnType<typeof sharedArguments>) => Promise<Response>;
  process: (server: AuthorizationServer, client: Client, response: Response) => Promise<Result>;
}

/**
 * Runs a request function of oauth4webapi, then the function that processes its response.
 *
 * @throws OAuthClientError for every failure. `cause` is oauth4webapi's error, if that contains no secret.
 */
async function callProtocol<Result>(
  service: OAuthService,
  { endpoint, signal, request, process }: ProtocolCall<Result>,
): Promise<Result> {
  const shared = sharedArguments(service, endpoint, signal);
  let response: Response;
  try {
    response = await request(shared);
  } catch (failure) {
    if (failure instanceof OAuthClientError) throw failure;
    // oauth4webapi rejected an argument. Its message contains the argument's name, not its value.
    throw misconfigured(`The request to ${endpoint} was not sent: ${(failure as Error).message}.`);
  }
  try {
    return await process(shared.server, shared.client, response);
  } catch (failure) {
    throw await processingError(endpoint, response, failure);
  }
}

/** Arguments that the request functions of oauth4webapi share. */
function sharedArguments(service: OAuthService, endpoint: string, signal: AbortSignal | undefined) {
  const { serviceUrl, clientId, clientSecret } = service;
  return {
    // The service publishes no metadata document. oauth4webapi requires an issuer, but no check here uses it. Each call
    // sends one request, so both endpoints are the same.
    server: { issuer: serviceUrl, token_endpoint: endpoint, revocation_endpoint: endpoint },
    client: { client_id: clientId },
    authentication: clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
    options: {
      // endpointUrl accepts http for loopback hosts only.
      [allowInsecureRequests]: endpoint.startsWith('http:'),
      [customFetch]: async (
        _url: string,
        { method, headers, body }: CustomFetchOptions<'POST', URLSearchParams>,
      ) => adapt(await sendRequest(service, { endpoint, method, headers, body, signal })),
    },
  };
}

/** Longest lifetime of a token, in seconds: 68 years. A longer one could be outside the range of dates. */
const MAX_LIFETIME_SECONDS = 2 ** 31;

/** What a 401 from the token endpoint or the revocation endpoint means. */
const CLIENT_CODES: StatusCodes = { 401: 'invalid_client' };

/** Adapts a response of this API to oauth4webapi, which requires status 200 where the token endpoint sends 201. */
function adapt({ endpoint, status, headers, text }: ServiceResponse): Response {
  // Browsers report a redirect as status 0, which a Response can't have.
  if (status < 200 || status > 599) {
    throw serviceError({ endpoint, status, headers, body: undefined, codes: CLIENT_CODES });
  }
  const isSuccess = status < 300;
  return new Response((isSuccess ? readablePair(text) : text) || null, {
    status: isSuccess ? 200 : status,
    headers,
  });
}

/**
 * Keeps the readable fields of a token pair. oauth4webapi rejects the whole pair for one malformed field, but callers
 * of this API only need `access_token`. A missing `token_type` means Bearer. This API never issues an `id_token`, so
 * one is dropped.
 */
function readablePair(text: string): string {
  const { access_token, refresh_token, token_type, expires_in, scope } = jsonObject(text) ?? {};
  return JSON.stringify({
    access_token,
    refresh_token: textOf(refresh_token),
    token_type: textOf(token_type) ?? 'Bearer',
    expires_in: lifetimeOf(expires_in),
    scope: typeof scope === 'string' ? scope : undefined,
  });
}

/** Returns the lifetime that the spec documents if the received one is not a positive number. */
function lifetimeOf(received: unknown): number {
  const seconds = typeof received === 'string' ? +received : received;
  return typeof seconds === 'number' && seconds > 0 && seconds <= MAX_LIFETIME_SECONDS
    ? seconds
    : ACCESS_TOKEN_LIFETIME_SECONDS;
}

async function processingError(
  endpoint: string,
  response: Response,
  failure: unknown,
): Promise<OAuthClientError> {
  const { status, ok, headers } = response;
  if (failure instanceof ResponseBodyError) {
    // Not set as `cause`: it contains the body, where a service can repeat the request.
    return serviceError({ endpoint, status, headers, body: failure.cause, codes: CLIENT_CODES });
  }
  // oauth4webapi doesn't read the body of a 5xx, or of a 4xx with a content type other than application/json.
  if (!ok) {
    const body = jsonObject(await response.text());
    return serviceError({ endpoint, status, headers, body, codes: CLIENT_CODES }, failure);
  }
  // Not set as `cause`: it contains the body, and with it the tokens.
  return unreadable(endpoint, (failure as Error).message);
}

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
