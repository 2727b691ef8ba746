import { OAUTH_ERROR_CODES, type OAuthErrorCode } from '@latchkey/contract/constants';
import { OAuthClientError, type OAuthClientErrorDetails } from './oauth-client-error.js';
import type { OAuthService } from './oauth-service.js';

const DEFAULT_TIMEOUT_MS = 30_000;
/** Statuses of a service or proxy that is restarting, too slow or too busy. The same request can succeed a moment later. */
const TEMPORARY = [408, 429, 502, 503, 504];
/** Longest pause before a GET is repeated, in milliseconds. */
const REPEAT_MAX_PAUSE_MS = 2_000;

export interface ServiceRequest {
  /** URL of an endpoint. It appears in error messages, so it must not contain secrets. */
  endpoint: string;
  /** Appended to the endpoint. It doesn't appear in error messages. */
  query?: URLSearchParams;
  /** @default 'GET' */
  method?: string;
  headers?: Record<string, string>;
  body?: URLSearchParams;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request and reads its response to the end, whatever its status. If nothing of a response arrived, sends the
 * request once more: a kept-alive connection can break when it's used again. A refresh is never repeated: using its
 * token twice can end the session. Repeating a code exchange does no harm: a code that arrived the first time is
 * already redeemed.
 *
 * A GET is also repeated once after a {@link TEMPORARY} status. Otherwise a sign-in would fail after its code is redeemed,
 * because the identity can't be read.
 *
 * @throws OAuthClientError `network`, `timeout` or `aborted`.
 */
export async function sendRequest(service: OAuthService, request: ServiceRequest): Promise<ServiceResponse> {
  // The browser's `fetch` must not be called as a method.
  const { fetch: send = fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = service;
  const { endpoint, query, method = 'GET', headers, body, signal: caller } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = caller ? AbortSignal.any([caller, timeout]) : timeout;
  const attempt = () =>
    send(query ? `${endpoint}?${query}` : endpoint, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body && { body }),
      cache: 'no-store',
      credentials: 'omit',
      // Following a redirect could send a token or a code to another server.
      redirect: 'manual',
      signal,
    });
  try {
    let response = await attempt().catch((cause) => {
      // `fetch` throws a TypeError only for a broken connection. An error from another realm isn't an instance of this
      // realm's class.
      if (cause?.name !== 'TypeError' || body?.has('refresh_token')) throw cause;
      return attempt();
    });
    const pauseMs = Number(response.headers.get('retry-after') ?? 0.2) * 1000;
    // A date in Retry-After is NaN.
    if (method === 'GET' && TEMPORARY.includes(response.status) && pauseMs <= REPEAT_MAX_PAUSE_MS) {
      await new Promise((resolve) => {
        signal.onabort = resolve;
        setTimeout(resolve, pauseMs);
      });
      response = await attempt();
    }
    const text = await response.text();
    return { endpoint, status: response.status, headers: response.headers, text };
  } catch (cause) {
    // The system's code, such as ECONNREFUSED. Browsers don't give one.
    const { code } = Object(Object(cause).cause) as { code?: unknown };
    if (caller?.aborted) {
      throw new OAuthClientError('aborted', `The caller aborted the request to ${endpoint}.`, { cause });
    }
    if (timeout.aborted) {
      throw new OAuthClientError('timeout', `${endpoint} did not respond within ${timeoutMs} ms.`, { cause });
    }
    throw new OAuthClientError(
      'network',
      `The request to ${endpoint} failed: no connection, or the connection broke${code ? ` (${code})` : ''}.`,
      { cause },
    );
  }
}

export interface ServiceResponse {
  endpoint: string;
  status: number;
  headers: Headers;
  text: string;
}

/** What a 401 and a 403 from a resource endpoint mean. */
const RESOURCE_CODES: StatusCodes = { 401: 'invalid_token', 403: 'insufficient_scope' };

/**
 * Returns the JSON object in the body of a successful response of a resource endpoint. Any other body counts as `{}`.
 *
 * @throws OAuthClientError for every status other than 2xx, as {@link serviceError} describes.
 */
export function successBody({ endpoint, status, headers, text }: ServiceResponse): Record<string, unknown> {
  const body = jsonObject(text);
  if (status < 200 || status > 299)
    throw serviceError({ endpoint, status, headers, body, codes: RESOURCE_CODES });
  return body ?? {};
}

/** The error code by status, for a body without a known `error`. */
export type StatusCodes = Readonly<Record<number, OAuthErrorCode>>;

/**
 * Creates the error for an unsuccessful response:
 *
 * - `service_error` for a 5xx, and for a 408 or 429, which say nothing about the request;
 * - the service's own error for a 4xx (spec, "OAuth errors");
 * - the code that `codes` has for the status, for a 4xx with any other JSON object (`error` can be unknown or missing);
 * - `invalid_request` for any other 4xx with an `error`;
 * - `unreadable_response` for any other response.
 */
export function serviceError(
  {
    endpoint,
    status,
    headers,
    body,
    codes,
  }: Omit<ServiceResponse, 'text'> & { body: object | undefined; codes: StatusCodes },
  cause?: unknown,
): OAuthClientError {
  const { error, error_description: errorDescription } = (body ?? {}) as Record<string, unknown>;
  const details: OAuthClientErrorDetails = {
    status,
    ...(typeof error === 'string' && { error }),
    ...(typeof errorDescription === 'string' && { errorDescription }),
    cause,
  };
  const message = [
    `${endpoint} responded with ${status}${body ? '' : ` and ${headers.get('content-type')}`}`,
    details.error,
    details.errorDescription,
  ]
    .filter(Boolean)
    .join(': ');
  if (status >= 500 || TEMPORARY.includes(status))
    return new OAuthClientError('service_error', message, details);
  const code =
    OAUTH_ERROR_CODES.find((known) => known === details.error) ??
    (body && codes[status]) ??
    (details.error && 'invalid_request');
  if (status >= 400 && code) return new OAuthClientError(code, message, details);
  return new OAuthClientError(
    'unreadable_response',
    `${message}. Check that serviceUrl is the final address of the service.`,
    details,
  );
}

/**
 * Creates the error for a successful response with an unexpected body. It leaves out the body, which can contain
 * tokens.
 */
export function unreadable(endpoint: string, problem: string): OAuthClientError {
  return new OAuthClientError(
    'unreadable_response',
    `The response of ${endpoint} is not as documented: ${problem}.`,
  );
}

/** Parses a JSON object. Returns `undefined` for any other string. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Copies a JSON object. Returns `undefined` for any other value. */
export function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // After `JSON.parse`, a key `__proto__` is plain data. It would become a prototype when a caller assigns the result.
  const { __proto__: _, ...fields } = value as Record<string, unknown>;
  return fields;
}

/** Returns a non-empty string, and `undefined` for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}
