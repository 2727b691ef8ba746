import type { Row } from '../../../migrations/schema.js';
import type { Clock } from '../../../platform/clock.js';
import { sql } from '../../../platform/database/kysely.js';
import { PENDING } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import { pick } from '../../../platform/database/prepared-query.js';
import { camelCased } from '../../../platform/database/rows.js';
import { auditedWrite } from '../../audit/audit.js';
import { roundTripOf } from '../attempt/stored-round-trip.js';
import { WAITS_FOR_WEBHOOK } from '../registration/webhook-ownership.js';
import type { WebhookKey } from '../registration/webhooks.js';

export type WebhookDelivery = Awaited<ReturnType<typeof listDeliveries>>[number];

export type WebhookDeliveryDetails = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

type DeliveryRow = Pick<Row<'webhook_deliveries'>, 'id' | 'status'> & { nextAttemptAt: number };

const selectDeliveries = (db: Database, ownerId: string) =>
  db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .leftJoin('communities', 'communities.id', 'webhooks.community_id')
    .leftJoin('products', 'products.id', 'webhooks.product_id')
    .select(({ fn, val }) => fn.coalesce('communities.name', 'products.name', val('')).as('subjectName'))
    .select(['delivery.id', 'delivery.webhook_id as webhookId', 'delivery.event_id as eventId'])
    .select(['delivery.status', 'delivery.next_attempt_at as nextAttemptAt'])
    .select(['delivery.finished_at as finishedAt', 'event.type', 'event.created_at as createdAt'])
    .where('webhooks.owner_id', '=', ownerId);

export async function listDeliveries(db: Database, { id, ownerId }: WebhookKey, limit: number) {
  const rows = await selectDeliveries(db, ownerId)
    .where('delivery.webhook_id', '=', id)
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id')
    .limit(limit)
    .execute();
  return await withAttempts(db, rows);
}

export async function withAttempts<Row extends DeliveryRow>(db: Database, rows: readonly Row[]) {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await findLastAttempts(db, ids);
  return rows.map((row) => {
    const { id, status, nextAttemptAt } = row;
    return {
      ...row,
      /** Null if the delivery is finished, or its webhook is inactive or paused. */
      nextAttemptAt: status === 'pending' && nextAttemptAt < WAITS_FOR_WEBHOOK ? nextAttemptAt : null,
      attemptCount: attempts.get(id)?.count ?? 0,
      lastAttempt: attempts.get(id)?.last,
    };
  });
}

/** Returns the newest delivery of each webhook of the user, by webhook id. Webhooks without deliveries are left out. */
export async function findLastDeliveries(
  db: Database,
  { ownerId, webhookIds }: { ownerId: string; webhookIds: readonly string[] },
): Promise<ReadonlyMap<string, WebhookDelivery>> {
  if (webhookIds.length === 0) return new Map();
  const newest = db
    .selectFrom('webhooks as hook')
    .select(({ selectFrom }) =>
      selectFrom('webhook_deliveries as newest')
        .select('newest.id')
        .whereRef('newest.webhook_id', '=', 'hook.id')
        .orderBy('newest.created_at', 'desc')
        .orderBy('newest.id')
        .limit(1)
        .as('delivery_id'),
    )
    .where('hook.id', 'in', webhookIds);
  const rows = await selectDeliveries(db, ownerId).where('delivery.id', 'in', newest).execute();
  const deliveries = await withAttempts(db, rows);
  return new Map(deliveries.map((delivery) => [delivery.webhookId, delivery]));
}

/** Lists failed deliveries, and pending ones after a failed attempt, newest first. */
export async function listRecentFailures(db: Database, ownerId: string, limit: number) {
  const newest = selectDeliveries(db, ownerId)
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id')
    .limit(limit);
  // Two queries, one per partial index. They use literals: no partial index applies to a parameter.
  const failed = await newest.where('delivery.status', '=', sql.lit('failed')).execute();
  const retried = await newest
    .where('delivery.status', '=', PENDING)
    .where('delivery.attempts', '>', 0)
    .execute();
  const rows = [...failed, ...retried]
    .sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
  return await withAttempts(db, rows);
}

const SHOWN_ATTEMPTS = 50;

export async function findDelivery(db: Database, { id, ownerId }: WebhookKey) {
  const rows = await selectDeliveries(db, ownerId)
    .select(['event.body', 'webhooks.url'])
    .where('delivery.id', '=', id)
    .execute();
  const [found] = await withAttempts(db, rows);
  if (found === undefined) return undefined;
  const attempts = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', id)
    .orderBy('attempted_at', 'desc')
    .orderBy('id')
    .limit(SHOWN_ATTEMPTS)
    .execute();
  const { url, ...delivery } = found;
  return {
    /** `body` is the JSON that was sent, byte for byte. */
    ...delivery,
    /** Newest first. Only the newest ones have their round trip. */
    attempts: attempts.map((row) => ({ ...camelCased(pick(row, ATTEMPT)), roundTrip: roundTripOf(row) })),
    webhook: { url, subjectName: delivery.subjectName },
  };
}

/**
 * Sends a delivery again with the same event id: at once, and with a new schedule of retries. `webhook-inactive`: the
 * webhook is inactive or paused, and nothing changed.
 */
export async function scheduleRedelivery(
  db: Database,
  { id, ownerId }: WebhookKey,
  now: number,
): Promise<{ kind: 'scheduled' | 'webhook-inactive' | 'unknown' }> {
  const webhooks = db.selectFrom('webhooks').select('id').where('owner_id', '=', ownerId);
  const active = webhooks.where('is_active', '=', 1).where('paused_at', 'is', null);
  const isReopened = await auditedWrite(db, { action: 'delivery.resend', subjectId: id }, (transaction) =>
    transaction
      .updateTable('webhook_deliveries')
      .set({
        status: 'pending',
        attempts: 0,
        next_attempt_at: now,
        lease_id: null,
        leased_until: null,
        finished_at: null,
      })
      .where('id', '=', id)
      .where('webhook_id', 'in', active)
      // A worker with a lease is sending it right now.
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)])),
  );
  if (isReopened) return { kind: 'scheduled' };
  const found = await db
    .selectFrom('webhook_deliveries')
    .select(({ eb }) => eb('webhook_id', 'in', active).as('is_active'))
    .where('id', '=', id)
    .where('webhook_id', 'in', webhooks)
    .executeTakeFirst();
  if (found === undefined) return { kind: 'unknown' };
  return { kind: found.is_active ? 'scheduled' : 'webhook-inactive' };
}

async function findLastAttempts(db: Database, deliveryIds: readonly string[]) {
  const ranked = db
    .selectFrom('webhook_attempts')
    .select(['delivery_id', ...ATTEMPT])
    .select(({ fn }) => [
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('delivery_id').orderBy('attempted_at', 'desc').orderBy('id'))
        .as('position'),
      fn
        .countAll<number>()
        .over((over) => over.partitionBy('delivery_id'))
        .as('count'),
    ])
    .where('delivery_id', 'in', deliveryIds)
    .as('attempt');
  const rows = await db
    .selectFrom(ranked)
    .select(['delivery_id', 'count', ...ATTEMPT])
    .where('position', '=', 1)
    .execute();
  return new Map(
    rows.map(({ delivery_id, count, ...row }) => [delivery_id, { count, last: camelCased(row) }]),
  );
}

/** Columns of an attempt. `failure` is a sentence that says why it failed; null if it succeeded. */
const ATTEMPT = ['id', 'attempted_at', 'duration_ms', 'status_code', 'failure'] as const;

/** Counting more rows would load the database for little use. */
const BACKLOG_LIMIT = 10_000;

/** Leaves out inactive and paused webhooks. The times are null if no delivery is pending. */
export async function readDeliveryBacklog(db: Database) {
  const { pending, oldest, next } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select(['created_at', 'next_attempt_at'])
        .where('status', '=', PENDING)
        .where('next_attempt_at', '<', WAITS_FOR_WEBHOOK)
        .orderBy('next_attempt_at')
        .limit(BACKLOG_LIMIT)
        .as('backlog'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('pending'),
      fn.min<number | null>('created_at').as('oldest'),
      fn.min<number | null>('next_attempt_at').as('next'),
    ])
    .executeTakeFirstOrThrow();
  return { pending: Number(pending), oldestCreatedAt: oldest, nextAttemptAt: next };
}

const HELP = {
  latchkey_webhook_deliveries_pending: `Pending webhook deliveries, up to ${BACKLOG_LIMIT}.`,
  latchkey_webhook_oldest_pending_seconds: 'Age of the oldest pending webhook delivery; 0 if there is none.',
  latchkey_webhook_delivery_lag_seconds:
    'Time by which the most overdue webhook delivery is late; 0 if none is due.',
};

export function deliveryGauges({ db, clock }: { db: Database; clock: Clock }) {
  return {
    help: HELP,
    async read() {
      const { pending, oldestCreatedAt, nextAttemptAt } = await readDeliveryBacklog(db);
      const now = clock.now();
      const secondsSince = (ms: number | null) => (ms === null ? 0 : Math.max(0, now - ms) / 1000);
      return {
        latchkey_webhook_deliveries_pending: pending,
        latchkey_webhook_oldest_pending_seconds: secondsSince(oldestCreatedAt),
        latchkey_webhook_delivery_lag_seconds: secondsSince(nextAttemptAt),
      };
    },
  };
}
