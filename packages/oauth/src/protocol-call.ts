import { ACCESS_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  ClientSecretPost,
  type CustomFetchOptions,
  customFetch,
  None,
  ResponseBodyError,
} from 'oauth4webapi';
import { misconfigured, OAuthClientError } from './oauth-client-error.js';
import type { OAuthService } from './oauth-service.js';
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
export interface ProtocolCall<Result> {
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
export async function callProtocol<Result>(
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
