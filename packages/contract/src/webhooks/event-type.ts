/** The five event types; every active webhook receives all of them (spec, "Events", 2). Zod-free. */
export const WEBHOOK_EVENT_TYPES = [
  'membership.created',
  'membership.updated',
  'payment.success',
  'payment.failed',
  'digital.product.purchase',
] as const;

/** One of the five event types. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
