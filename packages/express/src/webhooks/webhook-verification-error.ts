/**
 * Why a delivery was refused:
 * - `signature_missing`, `signature_malformed` (neither hex nor base64 of 32 bytes, or more than one),
 *   `signature_mismatch`: nobody knows who sent it. Answer 401.
 * - `header_missing`: signed, but without event type or id. `headers_mismatch`: signed, but type or id are not those of
 *   the body, so they were changed on the way. `body_unreadable`: signed, but not an event. Answer 400.
 * - `event_unreadable`: one of the five event types, with a payload that this version cannot read. Answer 500, so that
 *   it comes again once the kit is updated.
 * - `body_parsed`: not a delivery's fault; the raw body is gone. Answer 500.
 */
export type WebhookRefusal =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'header_missing'
  | 'headers_mismatch'
  | 'body_unreadable'
  | 'event_unreadable'
  | 'body_parsed';

const STATUS: Record<WebhookRefusal, 400 | 401 | 500> = {
  signature_missing: 401,
  signature_malformed: 401,
  signature_mismatch: 401,
  header_missing: 400,
  headers_mismatch: 400,
  body_unreadable: 400,
  event_unreadable: 500,
  body_parsed: 500,
};

/** A delivery that must not be acted on. The message is for your log, never for the sender. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookRefusal;
  /** HTTP status that fits. */
  readonly status: 400 | 401 | 500;

  constructor(code: WebhookRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUS[code];
  }
}
