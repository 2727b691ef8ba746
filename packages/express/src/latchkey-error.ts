/**
 * What went wrong, by name:
 * - `sign_in_required` (401): nobody is signed in, or the session has ended.
 * - `insufficient_scope` (403): the visitor has not granted `memberships.read`.
 * - `service_unavailable` (503): the service could not be asked, and nothing remembered is recent enough.
 */
export type LatchkeyErrorCode = 'sign_in_required' | 'insufficient_scope' | 'service_unavailable';

const STATUS: Record<LatchkeyErrorCode, number> = {
  sign_in_required: 401,
  insufficient_scope: 403,
  service_unavailable: 503,
};

/**
 * Rejection of `req.latchkey.accessToken()`, `req.latchkey.memberships()` and `has()`. It carries `status`, so that
 * Express's own error handling answers with 401, 403 or 503 when a handler lets it pass.
 */
export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError';
  readonly code: LatchkeyErrorCode;
  /** HTTP status that fits. */
  readonly status: number;

  constructor(code: LatchkeyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUS[code];
  }
}
