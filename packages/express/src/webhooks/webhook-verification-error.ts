/**
 * Codes of {@link WebhookVerificationError}:
 * - `signature_missing` (401): the request has no signature.
 * - `signature_malformed` (401): the signature is neither hex nor base64 of 32 bytes, or was sent several times.
 * - `signature_mismatch` (401): none of the secrets created the signature.
 * - `header_missing` (400): signed, but without event type or id.
 * - `header_malformed` (400): signed, but event type or id was sent several times.
 * - `headers_mismatch` (400): signed, but event type or id differ from those in the body.
 * - `event_id_unreadable` (500): the option `eventIdOf` failed.
 * - `payload_unreadable` (500): the schema of the option `payload` does not accept the body. The service delivers it again,
 *   so it can be handled after a correction of the schema.
 * - `source_mismatch` (500): the body names another community or product than that of its secret, and this secret has signed no
 *   event of its own source. Only `webhooks()` checks this. The service delivers it again, so it can be handled after a
 *   correction of the secrets. After an hour, and with a secret that fits, such events receive 200 and are dropped.
 * - `membership_unreadable` (500): the option `readMembership` failed.
 * - `body_parsed` (500): the raw body is not available. The app has to be fixed.
 */
export type WebhookErrorCode =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'header_missing'
  | 'header_malformed'
  | 'headers_mismatch'
  | 'event_id_unreadable'
  | 'payload_unreadable'
  | 'source_mismatch'
  | 'membership_unreadable'
  | 'body_parsed';

const STATUS: Record<WebhookErrorCode, 400 | 401 | 500> = {
  signature_missing: 401,
  signature_malformed: 401,
  signature_mismatch: 401,
  header_missing: 400,
  header_malformed: 400,
  headers_mismatch: 400,
  event_id_unreadable: 500,
  payload_unreadable: 500,
  source_mismatch: 500,
  membership_unreadable: 500,
  body_parsed: 500,
};

/** Thrown for a delivery that must not be handled. The message is for your log, never for the sender. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;
  /** HTTP status for the response. */
  readonly status: 400 | 401 | 500;
  /** Entry of the code in the documentation. Node.js prints it with an uncaught error. */
  readonly docs: string;

  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUS[code];
    this.docs = `docs/troubleshooting.md#${code}`;
  }
}
