/** Event types. Every active webhook receives all of them (spec, "Events", 2). */
export const WEBHOOK_EVENT_TYPES = [
  'membership.created',
  'membership.updated',
  'payment.success',
  'payment.failed',
  'digital.product.purchase',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
