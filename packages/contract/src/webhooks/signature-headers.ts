/** Headers of a webhook delivery (spec, "Events", 3). HTTP header names are case-insensitive. */
export const WEBHOOK_HEADERS = {
  /** HMAC-SHA256 of the raw body in lower-case hex. The key is the 64-character secret as literal text. */
  signature: 'X-Svc-Signature',
  /** The event type. Branch on it. */
  eventType: 'X-Svc-Event-Type',
  /** The event id, the same for all deliveries and retries of an event. Deduplicate on it. */
  eventId: 'X-Svc-Event-Id',
} as const;
