import { randomUUID } from 'node:crypto';
import { type WebhookEvent, webhookEventSchemas } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { Schema } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import {
  pick,
  prepareDeferredWrite,
  prepareQuery,
  runDeferredWrite,
} from '../../platform/database/prepared-query.js';
import { timeOrderedId } from '../../platform/secrets.js';
import { ownedByItsOwner, WAITS_FOR_WEBHOOK } from './registration/webhook-ownership.js';

export type NewEvent = {
  [Type in WebhookEvent['type']]: {
    type: Type;
    data: Extract<WebhookEvent, { type: Type }>['data'];
    communityId?: string | undefined;
    productId?: string | undefined;
  };
}[WebhookEvent['type']];

const insertEvent = prepareDeferredWrite((db, values: Schema['webhook_events']) =>
  db
    .insertInto('webhook_events')
    .values(pick(values, ['id', 'type', 'community_id', 'product_id', 'body', 'created_at'])),
);

const findWebhooksOfCommunity = prepareQuery((db, values: { communityId: string }) =>
  receivingWebhooks(db).where('community_id', '=', values.communityId),
);

const findWebhooksOfProduct = prepareQuery((db, values: { productId: string | null }) =>
  receivingWebhooks(db).where('product_id', '=', values.productId),
);

function receivingWebhooks(db: Database) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'paused_at'])
    .where('is_active', '=', 1)
    .where(ownedByItsOwner);
}

/**
 * Records an event and one delivery for each active webhook of its community or product. The webhook's owner must still
 * own the community or product. Deliveries to a paused webhook wait until it's resumed. The caller's transaction must
 * contain the change that the event reports: both are stored or neither is.
 *
 * @returns the event's id.
 * @throws ZodError if the data doesn't match the contract.
 */
export async function recordEvent(transaction: Database, event: NewEvent, now: number): Promise<string> {
  const { type, communityId = null, productId = null } = event;
  const id = randomUUID();
  const body = webhookEventSchemas[type].strict.parse({
    id,
    type,
    createdAt: formatTimestamp(now),
    data: event.data,
  });
  const owner = { community_id: communityId, product_id: productId };
  await insertEvent.run(transaction, { id, type, ...owner, body: JSON.stringify(body), created_at: now });
  const webhooks = await (communityId === null
    ? findWebhooksOfProduct.all(transaction, { productId })
    : findWebhooksOfCommunity.all(transaction, { communityId }));
  if (webhooks.length === 0) return id;
  const paused = await lockPaused(transaction, webhooks);
  const deliveries = webhooks.map((webhook) => ({
    id: timeOrderedId(now),
    event_id: id,
    webhook_id: webhook.id,
    status: 'pending' as const,
    next_attempt_at: paused.includes(webhook.id) ? WAITS_FOR_WEBHOOK : now,
    lease_id: null,
    leased_until: null,
    created_at: now,
    finished_at: null,
  }));
  await runDeferredWrite(transaction, transaction.insertInto('webhook_deliveries').values(deliveries));
  return id;
}

/** Whoever resumes a webhook waits for this transaction, and finds its delivery: otherwise it would never be due. */
async function lockPaused(
  transaction: Database,
  webhooks: readonly { id: string; paused_at: number | null }[],
): Promise<string[]> {
  const ids = webhooks.flatMap(({ id, paused_at }) => (paused_at === null ? [] : id));
  if (ids.length === 0) return ids;
  const paused = transaction.selectFrom('webhooks').select('id').where('paused_at', 'is not', null);
  const locked = await paused.where('id', 'in', ids).orderBy('id').forShare().execute();
  return locked.map(({ id }) => id);
}
