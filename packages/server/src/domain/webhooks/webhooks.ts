import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { HELD } from './held-delivery.js';

/** An integrator's endpoint that hears the events of a community or a product. Its secret is told apart from it. */
export interface Webhook {
  id: string;
  ownerId: string;
  /** One of the two is set. */
  communityId: string | null;
  productId: string | null;
  url: string;
  /** False when its owner switched it off: it hears nothing. */
  isActive: boolean;
  /** Since when every attempt failed; null while they succeed. */
  failingSince: number | null;
  /** Set when it failed for so long that nothing is tried any more; its deliveries wait. */
  pausedAt: number | null;
  createdAt: number;
}

/** A webhook as its owner's list shows it. */
export interface ListedWebhook extends Webhook {
  /** Name of the community or product. */
  subjectName: string;
  /** Deliveries that wait, and those that were given up. */
  pending: number;
  failed: number;
}

/** A webhook and whose it has to be: every call below finds nothing when it is somebody else's. */
export interface WebhookKey {
  id: string;
  ownerId: string;
}

/** A webhook to store. */
export interface NewWebhook extends WebhookKey {
  communityId: string | null;
  productId: string | null;
  url: string;
  secret: string;
}

/** What to change of a webhook; what is left out stays as it is. */
export interface WebhookChanges {
  url?: string;
  secret?: string;
  isActive?: boolean;
}

type ListedRow = Omit<Selectable<Schema['webhooks']>, 'secret'> & {
  subject_name: string;
  pending: number | null;
  failed: number | null;
};

function asListed(row: ListedRow): ListedWebhook {
  return {
    id: row.id,
    ownerId: row.owner_id,
    communityId: row.community_id,
    productId: row.product_id,
    url: row.url,
    isActive: row.is_active === 1,
    failingSince: row.failing_since,
    pausedAt: row.paused_at,
    createdAt: row.created_at,
    subjectName: row.subject_name,
    pending: row.pending ?? 0,
    failed: row.failed ?? 0,
  };
}
const selectListed = (db: Database) =>
  db
    .selectFrom('webhooks')
    .leftJoin('communities', 'communities.id', 'webhooks.community_id')
    .leftJoin('products', 'products.id', 'webhooks.product_id')
    .selectAll('webhooks')
    .select(({ fn, val }) => fn.coalesce('communities.name', 'products.name', val('')).as('subject_name'))
    .select(({ selectFrom, fn }) =>
      (['pending', 'failed'] as const).map((status) =>
        selectFrom('webhook_deliveries')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
          .where('webhook_deliveries.status', '=', status)
          .select(fn.countAll<number>().as('count'))
          .as(status),
      ),
    );

/** Whether the user owns what the webhook is to be for: has the OWNER role there, or sells the product. */
export async function ownsSubject(
  db: Database,
  ownerId: string,
  { communityId, productId }: Pick<NewWebhook, 'communityId' | 'productId'>,
): Promise<boolean> {
  const row =
    communityId === null
      ? await db
          .selectFrom('products')
          .select('id')
          .where('id', '=', productId)
          .where('owner_id', '=', ownerId)
          .executeTakeFirst()
      : await db
          .selectFrom('community_roles')
          .select('user_id')
          .where('community_id', '=', communityId)
          .where('user_id', '=', ownerId)
          .where('role', '=', 'OWNER')
          .where('is_active', '=', 1)
          .executeTakeFirst();
  return row !== undefined;
}

/** `taken`: the id. `too_many`: the owner has as many for this community or product as there may be. */
export function insertWebhook(
  db: Database,
  { id, ownerId, communityId, productId, url, secret }: NewWebhook,
  { now, max }: { now: number; max: number },
): Promise<'inserted' | 'taken' | 'too_many'> {
  return inTransaction(db, async (transaction) => {
    // Writing comes first: whoever registers at the same time waits here, and is counted.
    const inserted = await transaction
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
    if (inserted === undefined) return 'taken';
    const { count } = await transaction
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', '=', ownerId)
      .where((eb) =>
        communityId === null ? eb('product_id', '=', productId) : eb('community_id', '=', communityId),
      )
      .executeTakeFirstOrThrow();
    if (count <= max) return 'inserted';
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
    return 'too_many';
  });
}

export async function findWebhook(
  db: Database,
  { id, ownerId }: WebhookKey,
): Promise<ListedWebhook | undefined> {
  const row = await selectListed(db)
    .where('webhooks.id', '=', id)
    .where('webhooks.owner_id', '=', ownerId)
    .executeTakeFirst();
  return row && asListed(row);
}

/** Every webhook of a user, oldest first. */
export async function listWebhooks(db: Database, ownerId: string): Promise<ListedWebhook[]> {
  const rows = await selectListed(db)
    .where('webhooks.owner_id', '=', ownerId)
    .orderBy('webhooks.created_at')
    .orderBy('webhooks.id')
    .execute();
  return rows.map(asListed);
}

/**
 * Changes a webhook, in one transaction with its waiting deliveries: active afterwards, its health starts afresh and
 * they go out now; switched off, they wait. Gives the secret.
 */
export function saveWebhook(
  db: Database,
  { id, ownerId }: WebhookKey,
  { url, secret, isActive }: WebhookChanges,
  now: number,
): Promise<{ secret: string } | undefined> {
  const work = async (transaction: Database) => {
    const saved = await transaction
      .updateTable('webhooks')
      .set({
        failing_since: null,
        paused_at: null,
        ...(url !== undefined && { url }),
        ...(secret !== undefined && { secret }),
        ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
      })
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .returning(['secret', 'is_active'])
      .executeTakeFirst();
    if (saved === undefined) return undefined;
    await transaction
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: saved.is_active === 1 ? now : HELD })
      .where('webhook_id', '=', id)
      .where('status', '=', 'pending')
      .execute();
    return { secret: saved.secret };
  };
  // Deliveries change all the time; the second write takes them as they are by then.
  return inTransaction(db, work, { isolation: 'read committed' });
}

/** Deletes a webhook with its deliveries and attempts. False when there is none. */
export async function deleteWebhook(db: Database, { id, ownerId }: WebhookKey): Promise<boolean> {
  const removed = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}
