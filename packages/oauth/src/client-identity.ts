import { PATHS } from '@latchkey/contract/constants';
import { OAuthClientError } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { sendRequest } from './service-request.js';
import { isObject, jsonObject, successBody, unreadable } from './service-response.js';

/** Public description of a client (spec, "OAuth client public identity"). Values that are not set are absent. */
export interface ClientIdentity {
  clientId: string;
  name: string;
  description?: string;
  logoUrl?: string;
  /** True if the requested `widgetOrigin` may receive the client's codes. Absent without a `widgetOrigin`. */
  widgetOriginAllowed?: boolean;
}

/** Parameters of {@link fetchClientIdentity}. */
export interface ClientIdentityRequest {
  /** Origin to check. Only the hosted widget callback sends it. */
  widgetOrigin?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Returns the public identity of `service.clientId` (spec, "GET /oauth/client/{clientId}"). Requires no credentials.
 *
 * @throws OAuthClientError `invalid_client` when the service has no such client; and the errors of every request.
 */
export async function fetchClientIdentity(
  service: OAuthService,
  { widgetOrigin, signal }: ClientIdentityRequest = {},
): Promise<ClientIdentity> {
  const endpoint = endpointUrl(service, PATHS.clientIdentity);
  const query =
    widgetOrigin === undefined ? {} : { query: new URLSearchParams({ widget_origin: widgetOrigin }) };
  const response = await sendRequest(service, { endpoint, signal, ...query });
  // A 404 in another form is that of a proxy, or of a service without this endpoint.
  if (response.status === 404 && jsonObject(response.text).errorCode === 'not_found') {
    throw new OAuthClientError(
      'invalid_client',
      `${endpoint} responded with 404: the service has no such client. Check clientId and serviceUrl.`,
      { status: 404 },
    );
  }
  const { data } = successBody(response);
  // This response decides which origin receives codes, so it must describe the requested client.
  if (!isClientIdentity(data) || data.clientId !== service.clientId) {
    throw unreadable(endpoint, 'it must contain the identity of this client');
  }
  return data;
}

function isClientIdentity(value: unknown): value is ClientIdentity {
  return (
    isObject(value) &&
    typeof value.clientId === 'string' &&
    typeof value.name === 'string' &&
    ['string', 'undefined'].includes(typeof value.description) &&
    ['string', 'undefined'].includes(typeof value.logoUrl) &&
    ['boolean', 'undefined'].includes(typeof value.widgetOriginAllowed)
  );
}
