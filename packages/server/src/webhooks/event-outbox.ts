import { randomUUID } from 'node:crypto';
import { formatTimestamp, type WebhookEvent, webhookEventViews } from '@latchkey/contract';
import type { Database } from '../database/open-database.js';
import { HELD } from './held-delivery.js';
import { ownedByItsOwner } from './webhook-ownership.js';

/** An event before it has an id: its type, its payload, and the community or product that it is about. */
export type NewEvent = {
  [Type in WebhookEvent['type']]: {
    type: Type;
    data: Extract<WebhookEvent, { type: Type }>['data'];
    communityId?: string | undefined;
    productId?: string | undefined;
  };
}[WebhookEvent['type']];

/**
 * Writes an event and a delivery of it for every active webhook of its community or product whose owner still owns
 * that; a paused webhook's delivery waits until it is resumed. Called inside the
 * transaction of the change that it tells of: neither is kept without the other.
 *
 * @throws ZodError when the payload is not what the contract says; the change is then not kept either.
 */
export async function recordEvent(transaction: Database, event: NewEvent, now: number): Promise<void> {
  const { type, communityId = null, productId = null } = event;
  const id = randomUUID();
  const body = webhookEventViews[type].exact.parse({
    id,
    type,
    createdAt: formatTimestamp(now),
    data: event.data,
  });
  await transaction
    .insertInto('webhook_events')
    .values({
      id,
      type,
      community_id: communityId,
      product_id: productId,
      body: JSON.stringify(body),
      created_at: now,
    })
    .execute();
  const webhooks = await transaction
    .selectFrom('webhooks')
    .select(['id', 'paused_at'])
    .where('is_active', '=', 1)
    .where((eb) =>
      communityId === null ? eb('product_id', '=', productId) : eb('community_id', '=', communityId),
    )
    .where(ownedByItsOwner)
    .execute();
  if (webhooks.length === 0) return;
  await transaction
    .insertInto('webhook_deliveries')
    .values(
      webhooks.map((webhook) => ({
        id: randomUUID(),
        event_id: id,
        webhook_id: webhook.id,
        status: 'pending' as const,
        next_attempt_at: webhook.paused_at === null ? now : HELD,
        lease_id: null,
        leased_until: null,
        created_at: now,
        finished_at: null,
      })),
    )
    .execute();
}
