import { OAUTH_ERROR_CODES } from '@latchkey/contract/constants';
import { OAuthClientError, type OAuthClientErrorDetails } from './oauth-client-error.js';

/** A response whose body was read to the end. */
export interface ServiceResponse {
  endpoint: string;
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Returns the JSON object in the body of a successful response.
 *
 * @throws OAuthClientError for every status that is not 2xx, as {@link serviceError} describes.
 */
export function successBody({ endpoint, status, text }: ServiceResponse): Record<string, unknown> {
  const body = jsonObject(text);
  if (status < 200 || status > 299) throw serviceError({ endpoint, status, body });
  return body;
}

/**
 * Creates the error for a response that is not successful:
 *
 * - `service_error` for a 5xx;
 * - the service's own error for a 4xx (spec, "OAuth errors"), and `invalid_request` for an `error` that the spec does
 *   not name;
 * - `unreadable_response` for any other response.
 */
export function serviceError(
  { endpoint, status, body }: { endpoint: string; status: number; body: object },
  cause?: unknown,
): OAuthClientError {
  const { error, error_description: errorDescription } = body as Record<string, unknown>;
  const details: OAuthClientErrorDetails = {
    status,
    ...(typeof error === 'string' && { error }),
    ...(typeof errorDescription === 'string' && { errorDescription }),
    cause,
  };
  const message = [`${endpoint} responded with ${status}`, details.error, details.errorDescription]
    .filter(Boolean)
    .join(': ');
  if (status >= 500) return new OAuthClientError('service_error', message, details);
  if (status >= 400 && details.error) {
    const code = OAUTH_ERROR_CODES.find((known) => known === details.error) ?? 'invalid_request';
    return new OAuthClientError(code, message, details);
  }
  return new OAuthClientError(
    'unreadable_response',
    `${message}, without an OAuth error. Check that serviceUrl is the final address of the service.`,
    details,
  );
}

/** Creates the error for a successful response with an unexpected body. It omits the body, which can contain tokens. */
export function unreadable(endpoint: string, problem: string): OAuthClientError {
  return new OAuthClientError(
    'unreadable_response',
    `The response of ${endpoint} is not as documented: ${problem}.`,
  );
}

/** True if the value is a JSON object, and not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a JSON object. Any other text counts as an empty object. */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
