import type { Selectable } from 'kysely';
import type { Database } from '../database/open-database.js';
import type { Schema } from '../database/schema.js';

/** An integrator's endpoint that hears the events of a community or a product. */
export interface Webhook {
  id: string;
  ownerId: string;
  /** One of the two is set. */
  communityId: string | null;
  productId: string | null;
  url: string;
  /** 64 hex characters, used as literal text. Shown at creation and when the webhook is saved again. */
  secret: string;
  isActive: boolean;
  /** Since when every delivery failed; null while they succeed. */
  failingSince: number | null;
  /** Set when it failed for so long that nothing is tried any more. */
  pausedAt: number | null;
}

/** Queries about webhooks and their deliveries. */
export interface WebhookStore {
  /** False when the id is taken. */
  insert(
    webhook: Pick<Webhook, 'id' | 'ownerId' | 'communityId' | 'productId' | 'url' | 'secret'>,
    now: number,
  ): Promise<boolean>;
  find(id: string): Promise<Webhook | undefined>;
  /** Every webhook of a user, oldest first. */
  list(ownerId: string): Promise<Webhook[]>;
}

export function createWebhookStore(db: Database): WebhookStore {
  return {
    async insert({ id, ownerId, communityId, productId, url, secret }, now) {
      const inserted = await db
        .insertInto('webhooks')
        .values({
          id,
          owner_id: ownerId,
          community_id: communityId,
          product_id: productId,
          url,
          secret,
          failing_since: null,
          paused_at: null,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },
    async find(id) {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
      return row && asWebhook(row);
    },
    async list(ownerId) {
      const rows = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(asWebhook);
    },
  };
}

function asWebhook(row: Selectable<Schema['webhooks']>): Webhook {
  return {
    id: row.id,
    ownerId: row.owner_id,
    communityId: row.community_id,
    productId: row.product_id,
    url: row.url,
    secret: row.secret,
    isActive: row.is_active === 1,
    failingSince: row.failing_since,
    pausedAt: row.paused_at,
  };
}
