/**
 * Codes of {@link LatchkeyError}:
 * - `sign_in_required` (401): the visitor is not signed in, or the session has ended.
 * - `insufficient_scope` (403): the visitor did not grant `memberships.read`.
 * - `service_unavailable` (503): the service does not respond, and no cached result is recent enough.
 */
export type LatchkeyErrorCode = 'sign_in_required' | 'insufficient_scope' | 'service_unavailable';

const STATUS: Record<LatchkeyErrorCode, number> = {
  sign_in_required: 401,
  insufficient_scope: 403,
  service_unavailable: 503,
};

/**
 * Thrown by `accessToken()`, `memberships()` and `has()` of `req.latchkey`. Express's own error handling responds with
 * `status` if a handler does not catch it.
 */
export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError';
  readonly code: LatchkeyErrorCode;
  /** HTTP status of the code: 401, 403 or 503. */
  readonly status: number;
  /** Entry of the code in the documentation. Node.js prints it with an uncaught error. */
  readonly docs: string;

  constructor(code: LatchkeyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUS[code];
    this.docs = `docs/troubleshooting.md#${code}`;
  }
}

export function signInRequired(): LatchkeyError {
  return new LatchkeyError('sign_in_required', 'The visitor is not signed in, or the session has ended.');
}
