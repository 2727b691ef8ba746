import type { FakeEvent } from '../state/events.js';
import type { IdentityReading, WebhookReading } from './reading.js';

export const SECOND_WEBHOOKS: WebhookReading = {
  /** The method of a delivery is not described ("Events"). */
  method: 'PUT',
  /** "Signature output encoding … not shown" ("Events", 7). */
  signature: (hmac) => `sha256=${btoa(String.fromCharCode(...hmac))}`,
  webhookBody: secondBody,
  /** "Which operation emits which event: not shown" ("Events", 8), and neither is an order. */
  order: (events) => [...events].reverse(),
  /** "Redelivery policy: not shown" ("Events", 7). */
  deliveryPausesMs: [15, 40, 40, 40, 40, 40],
  /** "Deduplicate on this" ("Events", 3): one event can arrive more than once. */
  deliversTwice: true,
  sharesSecrets: false,
};

/** "Body envelope and payload fields of each event: not shown" ("Events", 6). One type has no body at all. */
function secondBody(event: FakeEvent, identity: IdentityReading): string {
  const { type, at, communityId, record, reservation } = event;
  if (type === 'membership.updated') return '';
  const user = record?.user ?? reservation?.user;
  const object = {
    community_id: communityId.toUpperCase(),
    user_id: user === undefined ? null : identity.userId(user),
    ...(record === undefined ? {} : { membership_id: record.membership.id.toUpperCase() }),
    pricing_plan_id: record?.planId ?? reservation?.plan.id ?? null,
    ...(reservation === undefined
      ? { external_order_id: record?.orderId ?? null }
      : { external_id: reservation.externalId, utm_source: reservation.utmSource }),
    occurred_at: Math.floor(at / 1000),
  };
  return JSON.stringify({ event: type, object }, null, 1);
}
