import {
  asPage,
  formatPosition,
  type ListPage,
  PAGE_SIZE,
  type Position,
} from '../../../platform/database/keyset.js';
import { type Selectable, sql } from '../../../platform/database/kysely.js';
import { PENDING } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Schema } from '../../../schema/schema.js';
import { WAITS_FOR_WEBHOOK } from './webhook-ownership.js';

/** Endpoint that receives the events of a community or a product. The secret is never part of it. */
export interface Webhook {
  id: string;
  ownerId: string;
  /** Either this or `productId` is set. */
  communityId: string | null;
  productId: string | null;
  url: string;
  /** An inactive webhook receives no events. */
  isActive: boolean;
  /** Start of an unbroken series of failures; null if the last attempt succeeded. */
  failingSince: number | null;
  /** Set once the webhook failed for too long. Its deliveries wait until its owner resumes it. */
  pausedAt: number | null;
  createdAt: number;
  /** True if the endpoint has answered with 2xx at this URL. */
  hasAnswered: boolean;
}

/** Webhook as its owner's list shows it. */
export interface ListedWebhook extends Webhook {
  /** Name of the community or product. */
  subjectName: string;
  /** Number of pending deliveries. */
  pending: number;
  /** Number of deliveries that failed for good. */
  failed: number;
}

/** Webhook id with the owner's user id. Calls find nothing if another user owns the webhook. */
export interface WebhookKey {
  id: string;
  ownerId: string;
}

/** Webhook to store. */
export interface NewWebhook extends WebhookKey {
  communityId: string | null;
  productId: string | null;
  url: string;
  secret: string;
}

/** Changes of a webhook. Undefined fields stay unchanged. */
export interface WebhookChanges {
  url?: string | undefined;
  secret?: string | undefined;
  isActive?: boolean | undefined;
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
    hasAnswered: row.answered_at !== null,
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
          .where('webhook_deliveries.status', '=', sql.lit(status))
          .select(fn.countAll<number>().as('count'))
          .as(status),
      ),
    );

/** Maximum number of webhooks of one owner. */
export interface WebhookLimits {
  /** For one community or product. */
  perSubject: number;
  perOwner: number;
}

/** Result of {@link insertWebhook}. `too-many`: the owner has a maximum, of which `max` is the number. */
export type InsertWebhookResult =
  | { kind: 'inserted' | 'id-taken' }
  | { kind: 'too-many'; of: 'subject' | 'owner'; max: number };

export function insertWebhook(
  db: Database,
  { id, ownerId, communityId, productId, url, secret }: NewWebhook,
  { now, limits }: { now: number; limits: WebhookLimits },
): Promise<InsertWebhookResult> {
  return inTransaction(db, async (transaction): Promise<InsertWebhookResult> => {
    // The insert comes first, so that concurrent registrations wait here and count each other.
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
    if (inserted === undefined) return { kind: 'id-taken' };
    const own = transaction
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', '=', ownerId);
    const ofSubject = await own
      .where((eb) =>
        communityId === null ? eb('product_id', '=', productId) : eb('community_id', '=', communityId),
      )
      .executeTakeFirstOrThrow();
    const ofOwner = await own.executeTakeFirstOrThrow();
    const isOverSubject = Number(ofSubject.count) > limits.perSubject;
    if (!isOverSubject && Number(ofOwner.count) <= limits.perOwner) return { kind: 'inserted' };
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
    return isOverSubject
      ? { kind: 'too-many', of: 'subject', max: limits.perSubject }
      : { kind: 'too-many', of: 'owner', max: limits.perOwner };
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

/** Lists one page of the webhooks of a user, oldest first. */
export async function listWebhooks(
  db: Database,
  ownerId: string,
  after?: Position | undefined,
): Promise<ListPage<ListedWebhook>> {
  const rows = await selectListed(db)
    .where('webhooks.owner_id', '=', ownerId)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('webhooks.created_at', 'webhooks.id'), '>', eb.tuple(after?.at ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('webhooks.created_at')
    .orderBy('webhooks.id')
    .limit(PAGE_SIZE + 1)
    .execute();
  return asPage(rows, ({ created_at, id }) => formatPosition({ at: created_at, id }), asListed);
}

/** Numbers of the webhooks of a user. */
export interface WebhookCounts {
  webhooks: number;
  /** Active ones that are failing. */
  failing: number;
  /** Ones whose endpoint has answered with 2xx. */
  answered: number;
}

/** Counts the webhooks of a user. */
export async function countWebhooks(db: Database, ownerId: string): Promise<WebhookCounts> {
  const own = db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId);
  const all = await own.executeTakeFirstOrThrow();
  const failing = await own
    .where('is_active', '=', 1)
    .where('failing_since', 'is not', null)
    .executeTakeFirstOrThrow();
  const answered = await own.where('answered_at', 'is not', null).executeTakeFirstOrThrow();
  return {
    webhooks: Number(all.count),
    failing: Number(failing.count),
    answered: Number(answered.count),
  };
}

/**
 * Changes a webhook and returns its secret. In the same transaction, its pending deliveries become due if it is active
 * afterwards, and wait otherwise. A pause ends, and a series of failures is forgotten. A new URL has not answered yet:
 * otherwise its owner could answer once and then enter the URL of a stranger.
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
        unanswered_attempts: 0,
        ...(url !== undefined && {
          url,
          answered_at: sql<number | null>`case when url = ${url} then answered_at end`,
        }),
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
      .set({ next_attempt_at: saved.is_active === 1 ? now : WAITS_FOR_WEBHOOK })
      .where('webhook_id', '=', id)
      .where('status', '=', PENDING)
      .execute();
    return { secret: saved.secret };
  };
  // Workers change deliveries all the time. The second statement reads their latest state.
  return inTransaction(db, work, { isolation: 'read committed' });
}

/** Returns the secret of a webhook. */
export async function findWebhookSecret(
  db: Database,
  { id, ownerId }: WebhookKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .select('secret')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return row?.secret;
}

/** Deletes a webhook with its deliveries and attempts. False if there is none. */
export async function deleteWebhook(db: Database, { id, ownerId }: WebhookKey): Promise<boolean> {
  const removed = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}
