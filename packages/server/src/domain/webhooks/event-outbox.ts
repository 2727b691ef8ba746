import { randomUUID } from 'node:crypto';
import { type WebhookEvent, webhookEventSchemas } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
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

const insertEvent = prepareQuery(
  (
    db,
    given: {
      id: string;
      type: NewEvent['type'];
      communityId: string | null;
      productId: string | null;
      body: string;
      now: number;
    },
  ) =>
    db.insertInto('webhook_events').values({
      id: given.id,
      type: given.type,
      community_id: given.communityId,
      product_id: given.productId,
      body: given.body,
      created_at: given.now,
    }),
);

const findWebhooksOfCommunity = prepareQuery((db, given: { communityId: string }) =>
  hearingWebhooks(db).where('community_id', '=', given.communityId),
);

const findWebhooksOfProduct = prepareQuery((db, given: { productId: string | null }) =>
  hearingWebhooks(db).where('product_id', '=', given.productId),
);

function hearingWebhooks(db: Database) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'paused_at'])
    .where('is_active', '=', 1)
    .where(ownedByItsOwner);
}

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
  const body = webhookEventSchemas[type].strict.parse({
    id,
    type,
    createdAt: formatTimestamp(now),
    data: event.data,
  });
  await insertEvent.all(transaction, { id, type, communityId, productId, body: JSON.stringify(body), now });
  const webhooks = await (communityId === null
    ? findWebhooksOfProduct.all(transaction, { productId })
    : findWebhooksOfCommunity.all(transaction, { communityId }));
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
