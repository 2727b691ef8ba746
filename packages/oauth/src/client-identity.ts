import { PATHS } from '@latchkey/contract/constants';
import { OAuthClientError } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import {
  fieldsOf,
  jsonObject,
  type ServiceRequest,
  sendRequest,
  successBody,
  textOf,
  unreadable,
} from './service-request.js';

/**
 * Public description of a client (spec, "OAuth client public identity"). Unknown fields are kept. Values that aren't
 * set are `undefined`.
 */
export interface ClientIdentity {
  clientId: string;
  name: string | undefined;
  description?: string | undefined;
  logoUrl?: string | undefined;
  /** True if the `widgetOrigin` of the request may receive the client's codes. `undefined` if the request had none. */
  widgetOriginAllowed?: boolean | undefined;
}

/** Parameters of {@link fetchClientIdentity}. */
export interface ClientIdentityRequest {
  /** Origin to check. Only the hosted widget callback sends it. */
  widgetOrigin?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Checks that the service has the client `service.clientId`. Sends the same request as {@link fetchClientIdentity}, but
 * reads no field of a successful response.
 *
 * @throws OAuthClientError `invalid_client` when the service has no such client; and the errors that every request can
 * have.
 */
export async function checkClient(
  service: OAuthService,
  request: Pick<ClientIdentityRequest, 'signal'> = {},
): Promise<void> {
  await requestIdentity(service, request);
}

/**
 * Returns the public identity of `service.clientId` (spec, "GET /oauth/client/{clientId}"). Requires no credentials.
 *
 * @throws OAuthClientError `invalid_client` when the service has no such client; and the errors that every request can
 * have.
 */
export async function fetchClientIdentity(
  service: OAuthService,
  { widgetOrigin, signal }: ClientIdentityRequest = {},
): Promise<ClientIdentity> {
  const query =
    widgetOrigin === undefined ? {} : { query: new URLSearchParams({ widget_origin: widgetOrigin }) };
  const { endpoint, body } = await requestIdentity(service, { signal, ...query });
  const { success, data } = body;
  const fields = success === false ? undefined : fieldsOf(data);
  if (!fields || !describes(service, fields.clientId, widgetOrigin !== undefined)) {
    throw unreadable(endpoint, 'it must contain the identity of this client');
  }
  const { name, description, logoUrl, widgetOriginAllowed } = fields;
  return {
    ...fields,
    clientId: service.clientId,
    name: textOf(name),
    description: textOf(description),
    logoUrl: textOf(logoUrl),
    widgetOriginAllowed: typeof widgetOriginAllowed === 'boolean' ? widgetOriginAllowed : undefined,
  };
}

async function requestIdentity(
  service: OAuthService,
  request: Pick<ServiceRequest, 'query' | 'signal'>,
): Promise<{ endpoint: string; body: Record<string, unknown> }> {
  const endpoint = endpointUrl(service, PATHS.clientIdentity);
  const response = await sendRequest(service, { endpoint, ...request });
  // Any other 404 comes from a proxy, or from a service without this endpoint.
  if (response.status === 404 && jsonObject(response.text)?.errorCode === 'not_found') {
    throw new OAuthClientError(
      'invalid_client',
      `${endpoint} responded with 404: the service has no such client. Check clientId and serviceUrl.`,
      { status: 404 },
    );
  }
  return { endpoint, body: successBody(response) };
}

/**
 * True if a response with this `clientId` describes the requested client. A response that decides which origin receives
 * codes must repeat the id exactly. Others may omit it, or write its hex digits in a different case.
 */
function describes({ clientId }: OAuthService, received: unknown, isDecision: boolean): boolean {
  if (isDecision) return received === clientId;
  return (textOf(received) ?? clientId).toLowerCase() === clientId.toLowerCase();
}
