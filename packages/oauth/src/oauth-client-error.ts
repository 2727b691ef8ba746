import type { OAuthErrorCode } from '@latchkey/contract/constants';

/**
 * Error codes, by origin:
 *
 * - before a request: `invalid_configuration` (an option is invalid), `insecure_context` (browsers provide no
 *   cryptography to a page on plain http);
 * - in the authorization response: `state_mismatch`, `access_denied`, `invalid_scope`, `authorization_failed` (any
 *   other error);
 * - from the service (spec, "OAuth errors"): `invalid_grant`, `invalid_client`, `invalid_request`, `invalid_token`,
 *   `insufficient_scope`, and `service_error` for every 5xx, a 408 and a 429;
 * - during transport: `network`, `timeout`, `aborted` (by the caller's signal), `unreadable_response` (the response
 *   doesn't match the spec: a redirect, a proxy's HTML page, a field of the wrong type).
 */
export type OAuthClientErrorCode =
  | OAuthErrorCode
  | 'invalid_configuration'
  | 'insecure_context'
  | 'state_mismatch'
  | 'authorization_failed'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'service_error'
  | 'unreadable_response';

/** Optional properties of an {@link OAuthClientError}. */
export interface OAuthClientErrorDetails {
  status?: number;
  error?: string;
  errorDescription?: string;
  cause?: unknown;
}

const NAME = 'OAuthClientError';

/**
 * The only error class that this package throws. Branch on `code`; `message` is for developers. It never contains a
 * client secret, an authorization code, a verifier or a token.
 */
export class OAuthClientError extends Error {
  override readonly name = NAME;
  readonly code: OAuthClientErrorCode;
  /** HTTP status of the response, if there was one. */
  declare readonly status?: number;
  /** The `error` that the service returned, if any. */
  declare readonly error?: string;
  /** The service's `error_description`, for developers rather than end users. */
  declare readonly errorDescription?: string;

  constructor(code: OAuthClientErrorCode, message: string, details: OAuthClientErrorDetails = {}) {
    const { cause, ...shown } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, shown);
  }
}

/** True for an {@link OAuthClientError}, even one that another copy of this package threw. */
export function isOAuthClientError(value: unknown): value is OAuthClientError {
  // `instanceof` fails for errors from another copy of the package or another realm.
  const isError = Object.prototype.toString.call(value) === '[object Error]';
  return isError && (value as Error).name === NAME;
}

export function misconfigured(message: string): OAuthClientError {
  return new OAuthClientError('invalid_configuration', message);
}
