import { PATHS } from '@latchkey/contract/constants';
import { OAuthClientError } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { isObject, sendRequest, successBody, unreadable } from './service-request.js';

/** What anyone may know about a client (spec, "OAuth client public identity"). Keys that are not set are absent. */
export interface ClientIdentity {
  clientId: string;
  name: string;
  description?: string;
  logoUrl?: string;
  /** Whether the origin that was asked about may receive the client's codes; absent when none was. */
  widgetOriginAllowed?: boolean;
}

/** What reading a client's identity takes. */
export interface ClientIdentityRequest {
  /** The origin to ask about. Only the hosted widget callback sends it. */
  widgetOrigin?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the public identity of `service.clientId` (spec, "GET /oauth/client/{clientId}"). Needs no credentials.
 *
 * @throws OAuthClientError `invalid_client` when the service does not know the client; and those of every request.
 */
export async function fetchClientIdentity(
  service: OAuthService,
  { widgetOrigin, signal }: ClientIdentityRequest = {},
): Promise<ClientIdentity> {
  const endpoint = endpointUrl(service, PATHS.clientIdentity);
  const query =
    widgetOrigin === undefined ? {} : { query: new URLSearchParams({ widget_origin: widgetOrigin }) };
  const answer = await sendRequest(service, { endpoint, signal, ...query });
  if (answer.status === 404) {
    throw new OAuthClientError(
      'invalid_client',
      `${endpoint} answered 404: the service knows no such client. Check clientId and serviceUrl.`,
      { status: 404 },
    );
  }
  const { data } = successBody(answer);
  // Who may receive codes hangs on this answer: it must be about the client that was asked for.
  if (!isClientIdentity(data) || data.clientId !== service.clientId) {
    throw unreadable(endpoint, "it is not this client's identity");
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
