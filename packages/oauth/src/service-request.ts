import { OAUTH_ERROR_CODES } from '@latchkey/contract/constants';
import { OAuthClientError, type OAuthClientErrorDetails } from './oauth-client-error.js';
import type { OAuthService } from './oauth-service.js';

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ServiceRequest {
  /** One of the service's endpoints. Shown in error messages: whatever is secret belongs elsewhere. */
  endpoint: string;
  /** Appended to the endpoint, not shown in error messages. */
  query?: URLSearchParams;
  /** Sends a POST with this form; otherwise the request is a GET. */
  form?: URLSearchParams;
  accessToken?: string;
  signal?: AbortSignal | undefined;
}

export interface ServiceAnswer {
  endpoint: string;
  status: number;
  /** The JSON object of the body; empty when the body is anything else. */
  body: Record<string, unknown>;
}

/**
 * Sends one request and reads its answer to the end, whatever its status.
 *
 * @throws OAuthClientError `network`, `timeout` or `aborted`.
 */
export async function sendRequest(service: OAuthService, request: ServiceRequest): Promise<ServiceAnswer> {
  // Called without its object: the browser's fetch refuses any `this` but the window.
  const { fetch: send = fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = service;
  const { endpoint, query, form, accessToken, signal: caller } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await send(query ? `${endpoint}?${query}` : endpoint, {
      method: form ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(accessToken && { authorization: `Bearer ${accessToken}` }) },
      ...(form && { body: form }),
      cache: 'no-store',
      credentials: 'omit',
      // A token or a code must not follow a redirect to wherever it leads.
      redirect: 'manual',
      signal: caller ? AbortSignal.any([caller, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    if (caller?.aborted) {
      throw new OAuthClientError('aborted', `The request to ${endpoint} was aborted by its caller.`, {
        cause,
      });
    }
    if (timeout.aborted) {
      throw new OAuthClientError('timeout', `${endpoint} did not answer within ${timeoutMs} ms.`, { cause });
    }
    throw new OAuthClientError('network', `${endpoint} could not be reached, or the connection broke.`, {
      cause,
    });
  }
  return { endpoint, status: response.status, body: jsonObject(text) };
}

/**
 * The body of a successful answer.
 *
 * @throws OAuthClientError the service's own error (spec, "OAuth errors"; an `error` that it does not name counts as
 * `invalid_request`); `service_error` for a 5xx; `unreadable_response` for anything else that is not a 2xx.
 */
export function successBody(answer: ServiceAnswer): Record<string, unknown> {
  const { status, body, endpoint } = answer;
  if (status >= 200 && status < 300) return body;
  const { error, error_description: errorDescription } = body;
  const details: OAuthClientErrorDetails = {
    status,
    ...(typeof error === 'string' && { error }),
    ...(typeof errorDescription === 'string' && { errorDescription }),
  };
  const told = [`${endpoint} answered ${status}`, details.error, details.errorDescription]
    .filter(Boolean)
    .join(': ');
  if (status >= 500) throw new OAuthClientError('service_error', told, details);
  if (status >= 400 && details.error) {
    const code = OAUTH_ERROR_CODES.find((known) => known === details.error) ?? 'invalid_request';
    throw new OAuthClientError(code, told, details);
  }
  throw new OAuthClientError(
    'unreadable_response',
    `${told}, without an error of the service. Is serviceUrl its final address?`,
    details,
  );
}

/** The error for a successful answer whose body is not the documented one. The body stays out: it may hold tokens. */
export function unreadable(endpoint: string, problem: string): OAuthClientError {
  return new OAuthClientError('unreadable_response', `The answer of ${endpoint} cannot be read: ${problem}.`);
}

/** Tells a JSON object from every other value, arrays included. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
