import { OAuthClientError } from './oauth-client-error.js';
import type { OAuthService } from './oauth-service.js';
import type { ServiceResponse } from './service-response.js';

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ServiceRequest {
  /** URL of an endpoint. It appears in error messages, so it must not contain secrets. */
  endpoint: string;
  /** Appended to the endpoint. It does not appear in error messages. */
  query?: URLSearchParams;
  /** @default 'GET' */
  method?: string;
  headers?: Record<string, string>;
  body?: URLSearchParams;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request and reads its response to the end, whatever its status.
 *
 * @throws OAuthClientError `network`, `timeout` or `aborted`.
 */
export async function sendRequest(service: OAuthService, request: ServiceRequest): Promise<ServiceResponse> {
  // The browser's fetch must be called without an object.
  const { fetch: send = fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = service;
  const { endpoint, query, method = 'GET', headers, body, signal: caller } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(query ? `${endpoint}?${query}` : endpoint, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body && { body }),
      cache: 'no-store',
      credentials: 'omit',
      // A redirect could carry a token or a code to another server.
      redirect: 'manual',
      signal: caller ? AbortSignal.any([caller, timeout]) : timeout,
    });
    const text = await response.text();
    return { endpoint, status: response.status, headers: response.headers, text };
  } catch (cause) {
    if (caller?.aborted) {
      throw new OAuthClientError('aborted', `The caller aborted the request to ${endpoint}.`, { cause });
    }
    if (timeout.aborted) {
      throw new OAuthClientError('timeout', `${endpoint} did not respond within ${timeoutMs} ms.`, { cause });
    }
    throw new OAuthClientError(
      'network',
      `The request to ${endpoint} failed: no connection, or the connection broke.`,
      { cause },
    );
  }
}
