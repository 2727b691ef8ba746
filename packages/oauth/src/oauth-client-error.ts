import type { OAuthErrorCode } from '@latchkey/contract/constants';

/**
 * What went wrong, by where it arose:
 *
 * - here, before anything was sent: `invalid_configuration` (an option is wrong), `insecure_context` (the browser gives
 *   a page on plain http no cryptography);
 * - in the answer to the authorization request: `state_mismatch`, `access_denied`, `invalid_scope`,
 *   `authorization_failed` (any other);
 * - at the service (spec, "OAuth errors"): `invalid_grant`, `invalid_client`, `invalid_request`, `invalid_token`,
 *   `insufficient_scope`, and `service_error` for every 5xx;
 * - on the way: `network`, `timeout`, `aborted` (by the caller's signal), `unreadable_response` (an answer that is not
 *   what the spec describes: a redirect, a proxy's page, a field of the wrong type).
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

/** What an {@link OAuthClientError} may carry besides its code and message. */
export interface OAuthClientErrorDetails {
  status?: number;
  error?: string;
  errorDescription?: string;
  cause?: unknown;
}

const NAME = 'OAuthClientError';

/**
 * The one error that this package throws. Branch on `code`; `message` is for developers and never holds a secret, a
 * code, a verifier or a token.
 */
export class OAuthClientError extends Error {
  override readonly name = NAME;
  readonly code: OAuthClientErrorCode;
  /** HTTP status of the answer, when there was one. */
  declare readonly status?: number;
  /** The service's own `error`, when it sent one. */
  declare readonly error?: string;
  /** The service's `error_description`: text for developers, not for end users. */
  declare readonly errorDescription?: string;

  constructor(code: OAuthClientErrorCode, message: string, details: OAuthClientErrorDetails = {}) {
    const { cause, ...shown } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, shown);
  }
}

/** Tells an {@link OAuthClientError} from other errors, also when another copy of this package threw it. */
export function isOAuthClientError(value: unknown): value is OAuthClientError {
  return value instanceof Error && value.name === NAME && 'code' in value;
}

/** The error for an option that cannot be right. */
export function misconfigured(message: string): OAuthClientError {
  return new OAuthClientError('invalid_configuration', message);
}
