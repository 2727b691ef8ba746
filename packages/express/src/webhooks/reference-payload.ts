import { type ReceivedWebhookEvent, webhookEventSchemas } from '@latchkey/contract';
import type { WebhookEventType } from '@latchkey/contract/constants';
import type { PayloadSchema } from './payload-schema.js';

/** Schemas of {@link referencePayload}. */
export type ReferencePayload = {
  readonly [Type in WebhookEventType]: PayloadSchema<Extract<ReceivedWebhookEvent, { type: Type }>>;
};

/**
 * Schemas of the bodies that the reference server sends: `{ id, type, createdAt, data }`. Other services have bodies of
 * their own, because the spec shows none ("Events", 6). Unknown fields are passed through.
 * @example webhooks({ payload: referencePayload, on: { 'payment.success': ({ body }) => body.data.amount } });
 */
export const referencePayload: ReferencePayload = {
  'membership.created': webhookEventSchemas['membership.created'].loose,
  'membership.updated': webhookEventSchemas['membership.updated'].loose,
  'payment.success': webhookEventSchemas['payment.success'].loose,
  'payment.failed': webhookEventSchemas['payment.failed'].loose,
  'digital.product.purchase': webhookEventSchemas['digital.product.purchase'].loose,
};
