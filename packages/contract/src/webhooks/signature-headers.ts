/** Headers of a webhook delivery (spec, "Events", 3). HTTP compares their names without case. Zod-free. */
export const WEBHOOK_HEADERS = {
  /** HMAC-SHA256 of the raw body, in lower-case hex, keyed with the 64-character secret as literal text. */
  signature: 'X-Svc-Signature',
  /** One of the five event types; switch on this. */
  eventType: 'X-Svc-Event-Type',
  /** The same for every delivery of an event and its retries; deduplicate on this. */
  eventId: 'X-Svc-Event-Id',
} as const;
