import { WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';
import type { Clock } from './clock.js';
import { misconfigured } from './oauth-client-error.js';

/** The service to sign in at, and the client that asks. First argument of every call. */
export interface OAuthService {
  /**
   * Base URL of the service: https, or http on a loopback host (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`). A
   * path in front of the API is kept; slashes at the end do not matter.
   */
  serviceUrl: string;
  /** `oac_` and 24 hex characters. */
  clientId: string;
  /** Of a confidential client. A public client has none, and a browser must never be given one. */
  clientSecret?: string | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Default: the clock of the machine. */
  clock?: Clock | undefined;
  /** How long one request may take until its answer is read, in milliseconds. Default 30000. */
  timeoutMs?: number | undefined;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)$/;
/** Narrow enough that an id put into a path stays one segment of it. */
const CLIENT_ID = /^[\w-]+$/;

/**
 * Address of one of the service's endpoints.
 *
 * @param path one of the contract's `PATHS`; `{clientId}` in it is filled in.
 * @throws OAuthClientError `invalid_configuration` when `serviceUrl`, `clientId` or `clientSecret` cannot be right.
 */
export function endpointUrl(service: OAuthService, path: string): string {
  const { serviceUrl, clientId, clientSecret } = service;
  const url = URL.canParse(serviceUrl) ? new URL(serviceUrl) : undefined;
  // Not echoed: a URL with credentials in it must not reach a log.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw misconfigured('serviceUrl must be an absolute http(s) URL without credentials, query or fragment.');
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw misconfigured(`serviceUrl must be https: plain http is for loopback hosts, not ${url.hostname}.`);
  }
  if (!CLIENT_ID.test(clientId)) {
    throw misconfigured(`clientId must look like oac_ and 24 hex characters, not "${clientId}".`);
  }
  if (clientSecret === '') {
    throw misconfigured('clientSecret is empty: is its variable set? A public client leaves it out.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '') + path.replace('{clientId}', clientId);
}

/**
 * Address of the hosted widget callback of this client: the `redirect_uri` of the popup flow.
 *
 * @throws OAuthClientError `invalid_configuration`, as every call does.
 */
export function hostedCallbackUrl(service: OAuthService): string {
  return endpointUrl(service, WIDGET_CALLBACK_PATH);
}
