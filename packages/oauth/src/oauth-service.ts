import { isLoopback, WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';
import { misconfigured } from './oauth-client-error.js';

/** The service to call, and the client that calls it. First argument of every function. */
export interface OAuthService {
  /**
   * Base URL of the service: https, or http on a loopback host (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`). It
   * can contain a path. Trailing slashes are ignored.
   */
  serviceUrl: string;
  /** `oac_` followed by 24 hex characters. */
  clientId: string;
  /** Secret of a confidential client. Public clients have none. Never send it to a browser. */
  clientSecret?: string | undefined;
  /**
   * Sends the requests.
   * @default globalThis.fetch
   */
  fetch?: typeof fetch | undefined;
  /**
   * Source of the current time.
   * @default the system clock
   */
  clock?: Clock | undefined;
  /**
   * Maximum duration of a request, in milliseconds, including its response body.
   * @default 30000
   */
  timeoutMs?: number | undefined;
}

/** Spec, "Resources and their fields". Excludes characters that would change the path that the id is inserted into. */
const CLIENT_ID = /^oac_[\da-f]{24}$/i;

/**
 * Builds the URL of an endpoint.
 *
 * @param path an entry of the contract's `PATHS`. `{clientId}` is replaced by the client id.
 * @throws OAuthClientError `invalid_configuration` when `serviceUrl`, `clientId` or `clientSecret` is invalid.
 */
export function endpointUrl(service: OAuthService, path: string): string {
  const { serviceUrl, clientId, clientSecret } = service;
  const url = URL.canParse(serviceUrl) ? new URL(serviceUrl) : undefined;
  // The message leaves out the URL, which can contain credentials.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw misconfigured('serviceUrl must be an absolute http(s) URL without credentials, query or fragment.');
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw misconfigured(
      `serviceUrl must be https; got http on ${url.hostname}. Only loopback hosts may use http.`,
    );
  }
  if (!CLIENT_ID.test(clientId)) {
    throw misconfigured(`clientId must be oac_ and 24 hex characters; got "${clientId}".`);
  }
  if (clientSecret === '') {
    throw misconfigured('clientSecret is empty. Set it, or omit it for a public client.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '') + path.replace('{clientId}', clientId);
}

/**
 * Builds the URL of the client's hosted widget callback, the `redirect_uri` of the popup flow.
 *
 * @throws OAuthClientError `invalid_configuration` when an option is invalid.
 */
export function hostedCallbackUrl(service: OAuthService): string {
  return endpointUrl(service, WIDGET_CALLBACK_PATH);
}

/** Source of the current time. Tests and sandboxes replace it. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
}
