import { randomBytes, randomUUID } from 'node:crypto';
import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import { sql } from '../../../platform/database/kysely.js';
import { PENDING } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import { camelCased, countRows, type Position, readPage } from '../../../platform/database/rows.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { audited, auditedWrite, changedFields, recordAudit } from '../../audit/audit.js';
import { listOwned } from '../../communities/community-access.js';
import { WAITS_FOR_WEBHOOK } from './webhook-ownership.js';

/** An endpoint that receives the events of a community or a product. Never contains the secret. */
export type ListedWebhook = ReturnType<typeof asListed>;

/** Webhook id with the owner's user id. Calls find nothing if another user owns the webhook. */
export interface WebhookKey {
  id: string;
  ownerId: string;
}

function asListed(row: Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]) {
  const { is_active, answered_at, pending, failed, ...webhook } = row;
  return {
    ...camelCased(webhook),
    isActive: is_active === 1,
    /** True if the endpoint has answered with 2xx at this URL. */
    hasAnswered: answered_at !== null,
    pending: pending ?? 0,
    failed: failed ?? 0,
  };
}

const selectListed = (db: Database) =>
  db
    .selectFrom('webhooks')
    .leftJoin('communities', 'communities.id', 'webhooks.community_id')
    .leftJoin('products', 'products.id', 'webhooks.product_id')
    .select([
      'webhooks.id',
      'webhooks.owner_id',
      'webhooks.community_id',
      'webhooks.product_id',
      'webhooks.url',
    ])
    .select(['webhooks.is_active', 'webhooks.failing_since', 'webhooks.paused_at', 'webhooks.answered_at'])
    .select('webhooks.created_at')
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

export async function findWebhook(db: Database, { id, ownerId }: WebhookKey) {
  const own = selectListed(db).where('webhooks.owner_id', '=', ownerId);
  const row = await own.where('webhooks.id', '=', id).executeTakeFirst();
  return row && asListed(row);
}

export function listWebhooks(db: Database, ownerId: string, after?: Position | undefined) {
  const own = selectListed(db).where('webhooks.owner_id', '=', ownerId);
  return readPage(own, { by: ['webhooks.created_at', 'webhooks.id'], after }, asListed);
}

/** Counts all, the active ones that are failing, and the ones with an endpoint that has answered with 2xx. */
export async function countWebhooks(db: Database, ownerId: string) {
  const own = db.selectFrom('webhooks').where('owner_id', '=', ownerId);
  const active = own.where('is_active', '=', 1);
  return {
    webhooks: await countRows(own),
    failing: await countRows(active.where('failing_since', 'is not', null)),
    answered: await countRows(own.where('answered_at', 'is not', null)),
  };
}

/**
 * Changes a webhook and returns its secret. In the same transaction, its pending deliveries become due if it's active
 * afterwards, and wait otherwise. A pause ends, and a series of failures is forgotten. A new URL counts as unanswered:
 * otherwise an owner could answer once and then enter a stranger's URL. Undefined fields stay unchanged.
 */
export function saveWebhook(
  db: Database,
  { id, ownerId }: WebhookKey,
  changes: { url?: string | undefined; secret?: string | undefined; isActive?: boolean | undefined },
  now: number,
): Promise<{ secret: string } | undefined> {
  const { url, secret, isActive } = changes;
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
      .returning(['secret', 'is_active', 'community_id'])
      .executeTakeFirst();
    if (saved === undefined) return undefined;
    await transaction
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: saved.is_active === 1 ? now : WAITS_FOR_WEBHOOK })
      .where('webhook_id', '=', id)
      .where('status', '=', PENDING)
      .execute();
    const details = { fields: changedFields(undefined, changes) };
    await recordAudit(transaction, {
      ...{ action: 'webhook.change', subjectId: id, communityId: saved.community_id },
      details,
    });
    return { secret: saved.secret };
  };
  // Workers change deliveries all the time. The second statement reads their latest state.
  return inTransaction(db, work, { isolation: 'read committed' });
}

/** Returns the secret, and records that its owner saw it. */
export async function revealWebhookSecret(db: Database, { id, ownerId }: WebhookKey) {
  return await audited(db, { action: 'webhook.reveal-secret', subjectId: id }, async (transaction) => {
    const own = transaction.selectFrom('webhooks').select('secret').where('owner_id', '=', ownerId);
    return (await own.where('id', '=', id).executeTakeFirst())?.secret;
  });
}

export async function deleteWebhook(db: Database, { id, ownerId }: WebhookKey): Promise<boolean> {
  return await auditedWrite(db, { action: 'webhook.delete', subjectId: id }, (transaction) =>
    transaction.deleteFrom('webhooks').where('id', '=', id).where('owner_id', '=', ownerId),
  );
}

/** Maximum number of webhooks that an owner can register for one community or product. Each receives every event. */
const WEBHOOKS_MAX_PER_SUBJECT = 10;

const WEBHOOKS_MAX_PER_OWNER = 100;

/**
 * Registers a webhook (spec, "Events", 1). `not-owner`: the user isn't OWNER of the community, or doesn't sell the
 * product. `too-many`: the owner has the maximum for this community or product, or in total.
 */
export async function registerWebhook(
  db: Database,
  webhook: {
    ownerId: string;
    url: string;
    communityId?: string | undefined;
    productId?: string | undefined;
    id?: string | undefined;
    secret?: string | undefined;
  },
  now: number,
) {
  const { id = randomUUID(), secret = createWebhookSecret(), ownerId, url } = webhook;
  const { communityId = null, productId = null } = webhook;
  if (!(await ownsSubject(db, ownerId, { communityId, productId }))) return { kind: 'not-owner' } as const;
  return await inTransaction(db, async (transaction) => {
    // The insert comes first: concurrent registrations wait here and count each other.
    const inserted = await transaction
      .insertInto('webhooks')
      .values({
        ...{ id, owner_id: ownerId, community_id: communityId, product_id: productId, url, secret },
        ...{ failing_since: null, paused_at: null, created_at: now },
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) return { kind: 'id-taken' } as const;
    const own = transaction.selectFrom('webhooks').where('owner_id', '=', ownerId);
    const ofSubject = own.where((eb) =>
      communityId === null ? eb('product_id', '=', productId) : eb('community_id', '=', communityId),
    );
    const isOverSubject = (await countRows(ofSubject)) > WEBHOOKS_MAX_PER_SUBJECT;
    if (!isOverSubject && (await countRows(own)) <= WEBHOOKS_MAX_PER_OWNER) {
      await recordAudit(transaction, { action: 'webhook.create', subjectId: id, communityId });
      return { kind: 'registered', id, secret } as const;
    }
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
    return isOverSubject
      ? ({ kind: 'too-many', of: 'subject', max: WEBHOOKS_MAX_PER_SUBJECT } as const)
      : ({ kind: 'too-many', of: 'owner', max: WEBHOOKS_MAX_PER_OWNER } as const);
  });
}

export function createWebhookSecret(): string {
  return randomBytes(WEBHOOK_SECRET_LENGTH / 2).toString('hex');
}

/** Maximum number of communities, and of products, that a form offers. Sellers can't create more of them. */
const OFFERED_SUBJECTS = 100;

export async function listWebhookSubjects(db: Database, userId: string) {
  const communities = await listOwned(db, userId, OFFERED_SUBJECTS);
  const products = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('owner_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(OFFERED_SUBJECTS)
    .execute();
  return { communities, products };
}

async function ownsSubject(
  db: Database,
  ownerId: string,
  { communityId, productId }: { communityId: string | null; productId: string | null },
): Promise<boolean> {
  if (communityId === null) {
    const own = db.selectFrom('products').select('id').where('owner_id', '=', ownerId);
    return (await own.where('id', '=', productId).executeTakeFirst()) !== undefined;
  }
  const roles = db.selectFrom('community_roles').select('user_id').where('user_id', '=', ownerId);
  const owned = roles.where('role', '=', 'OWNER').where('is_active', '=', 1);
  return (await owned.where('community_id', '=', communityId).executeTakeFirst()) !== undefined;
}
