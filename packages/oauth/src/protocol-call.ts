import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  type CustomFetchOptions,
  customFetch,
  None,
  ResponseBodyError,
} from 'oauth4webapi';
import { misconfigured, OAuthClientError } from './oauth-client-error.js';
import type { OAuthService } from './oauth-service.js';
import { sendRequest } from './service-request.js';
import { jsonObject, type ServiceResponse, serviceError, unreadable } from './service-response.js';

/** Arguments that the request functions of oauth4webapi share. */
export interface ProtocolContext {
  server: AuthorizationServer;
  client: Client;
  authentication: ClientAuth;
  options: {
    [allowInsecureRequests]: boolean;
    [customFetch]: (url: string, init: CustomFetchOptions<'POST', URLSearchParams>) => Promise<Response>;
  };
}

/** One request to an OAuth endpoint, built and checked by oauth4webapi. */
export interface ProtocolCall<Result> {
  endpoint: string;
  signal?: AbortSignal | undefined;
  /** Builds and sends the request. */
  request: (context: ProtocolContext) => Promise<Response>;
  /** Validates the response and returns its content. */
  process: (server: AuthorizationServer, client: Client, response: Response) => Promise<Result>;
}

/**
 * Runs a request function of oauth4webapi, then the function that processes its response.
 *
 * @throws OAuthClientError for every failure. `cause` is the error of oauth4webapi if that contains no secret.
 */
export async function callProtocol<Result>(
  service: OAuthService,
  { endpoint, signal, request, process }: ProtocolCall<Result>,
): Promise<Result> {
  const context = protocolContext(service, endpoint, signal);
  let response: Response;
  try {
    response = await request(context);
  } catch (failure) {
    if (failure instanceof OAuthClientError) throw failure;
    // oauth4webapi rejected an argument. Its message contains the name of the argument, not the value.
    throw misconfigured(`The request to ${endpoint} was not sent: ${(failure as Error).message}.`);
  }
  try {
    return await process(context.server, context.client, response);
  } catch (failure) {
    throw await processingError(endpoint, response, failure);
  }
}

function protocolContext(
  service: OAuthService,
  endpoint: string,
  signal: AbortSignal | undefined,
): ProtocolContext {
  const { serviceUrl, clientId, clientSecret } = service;
  return {
    // The service publishes no metadata document. oauth4webapi requires an issuer, but no check here uses it.
    // Each call sends one request, so every endpoint is that of the call.
    server: { issuer: serviceUrl, token_endpoint: endpoint, revocation_endpoint: endpoint },
    client: { client_id: clientId },
    authentication: clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
    options: {
      // endpointUrl accepts http for loopback hosts only.
      [allowInsecureRequests]: endpoint.startsWith('http:'),
      [customFetch]: async (_url, { method, headers, body }) =>
        adapt(await sendRequest(service, { endpoint, method, headers, body, signal })),
    },
  };
}

/**
 * Adapts a response of this API to what oauth4webapi accepts. It requires status 200, where the token endpoint sends
 * 201. It validates an `id_token`, which this API never issues, so an unknown field of that name is ignored.
 */
function adapt(response: ServiceResponse): Response {
  const { status, headers, text } = response;
  // A browser reports a redirect as status 0, from which no Response can be made.
  if (status < 200 || status > 599) throw serviceError({ endpoint: response.endpoint, status, body: {} });
  const body = status < 300 ? withoutIdToken(text) : text;
  return new Response(body || null, { status: status === 201 ? 200 : status, headers });
}

function withoutIdToken(text: string): string {
  const body = jsonObject(text);
  return 'id_token' in body ? JSON.stringify({ ...body, id_token: undefined }) : text;
}

async function processingError(
  endpoint: string,
  response: Response,
  failure: unknown,
): Promise<OAuthClientError> {
  const { status, ok } = response;
  if (failure instanceof ResponseBodyError) {
    // Not set as cause: it contains the body, and a service can repeat the request there.
    return serviceError({ endpoint, status, body: failure.cause });
  }
  // oauth4webapi leaves the body of a 5xx unread, and that of a 4xx whose content type is not application/json.
  if (!ok) return serviceError({ endpoint, status, body: jsonObject(await response.text()) }, failure);
  // Not set as cause: it contains the body, and with it the tokens.
  return unreadable(endpoint, (failure as Error).message);
}
