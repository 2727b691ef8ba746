import { type ExpressionBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { hasRowLocks } from '../../platform/database/row-locks.js';
import type { Schema } from '../../platform/database/schema.js';
import { ownedByItsOwner } from './webhook-ownership.js';

/** Endpoint with a due delivery. */
export interface DueEndpoint {
  webhookId: string;
  /** True if the last attempt at the endpoint failed. */
  failing: boolean;
}

/** Lease of a worker. No other worker sends the leased deliveries until the lease ends. */
export interface DeliveryLease {
  id: string;
  /** End of the lease, in milliseconds since the epoch. */
  until: number;
  /** Maximum number of deliveries. */
  limit: number;
}

/** Leased delivery. */
export interface LeasedDelivery {
  id: string;
  leaseId: string;
  webhookId: string;
  url: string;
  secret: string;
  event: { id: string; type: string };
  body: string;
}

/** A literal instead of a parameter, so that the partial indexes of pending deliveries apply. */
const PENDING = sql.lit('pending' as const);

/** Condition: the delivery is pending, its next attempt is due, and no worker has a lease. */
function isDue(eb: ExpressionBuilder<Schema, 'webhook_deliveries'>, now: number) {
  return eb.and([
    eb('webhook_deliveries.status', '=', PENDING),
    eb('webhook_deliveries.next_attempt_at', '<=', now),
    eb.or([
      eb('webhook_deliveries.leased_until', 'is', null),
      eb('webhook_deliveries.leased_until', '<=', now),
    ]),
  ]);
}

/** Lists the endpoints with due deliveries, ordered by id. */
export async function listDueEndpoints(db: Database, now: number): Promise<DueEndpoint[]> {
  // Usually nothing is due. This cheap query then is the only one.
  const any = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where((eb) => isDue(eb, now))
    .limit(1)
    .executeTakeFirst();
  if (any === undefined) return [];
  // Walks the index from one endpoint to the next, so the cost does not grow with the backlog of an endpoint.
  const rows = await db
    .withRecursive('waiting(webhook_id)', (query) =>
      query
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min<string | null>('webhook_deliveries.webhook_id').as('webhook_id'))
        .where('webhook_deliveries.status', '=', PENDING)
        .unionAll(
          query
            .selectFrom('waiting')
            .select(({ selectFrom }) =>
              selectFrom('webhook_deliveries')
                .select(({ fn }) => fn.min('webhook_deliveries.webhook_id').as('next'))
                .where('webhook_deliveries.status', '=', PENDING)
                .whereRef('webhook_deliveries.webhook_id', '>', 'waiting.webhook_id')
                .as('webhook_id'),
            )
            .where('waiting.webhook_id', 'is not', null),
        ),
    )
    .selectFrom('waiting')
    .innerJoin('webhooks', 'webhooks.id', 'waiting.webhook_id')
    .select(['webhooks.id', 'webhooks.failing_since'])
    .where('webhooks.is_active', '=', 1)
    .where('webhooks.paused_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
          .where((eb) => isDue(eb, now)),
      ),
    )
    .where(ownedByItsOwner)
    .orderBy('webhooks.id')
    .execute();
  return rows.map((row) => ({ webhookId: row.id, failing: row.failing_since !== null }));
}

/** Leases an endpoint's due deliveries, the most overdue first. */
export async function leaseDeliveries(
  db: Database,
  webhookId: string,
  { id: leaseId, until, limit }: DeliveryLease,
  now: number,
): Promise<LeasedDelivery[]> {
  const leased = await db
    .with('due', (query) =>
      query
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where((eb) => isDue(eb, now))
        .orderBy('next_attempt_at')
        .limit(limit)
        .$if(hasRowLocks(db), (locking) => locking.forUpdate().skipLocked()),
    )
    .updateTable('webhook_deliveries')
    .set({ lease_id: leaseId, leased_until: until })
    .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('due.id'))
    .where((eb) => isDue(eb, now))
    .returning('id')
    .execute();
  if (leased.length === 0) return [];
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['delivery.id', 'delivery.event_id', 'event.type', 'event.body'])
    .select(['webhooks.url', 'webhooks.secret'])
    .where(
      'delivery.id',
      'in',
      leased.map(({ id }) => id),
    )
    .where('delivery.lease_id', '=', leaseId)
    .orderBy('delivery.created_at')
    .orderBy('delivery.id')
    .execute();
  return rows.map(({ id, event_id, type, body, url, secret }) => ({
    id,
    leaseId,
    webhookId,
    url,
    secret,
    event: { id: event_id, type },
    body,
  }));
}

/** Ends the lease of a delivery without an attempt, and makes it due at a later instant. */
export async function postponeDelivery(
  db: Database,
  { id, leaseId }: Pick<LeasedDelivery, 'id' | 'leaseId'>,
  until: number,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_id: null, leased_until: null, next_attempt_at: until })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute();
}

/** Ends the lease of a delivery without an attempt. */
export async function releaseDelivery(
  db: Database,
  { id, leaseId }: Pick<LeasedDelivery, 'id' | 'leaseId'>,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_id: null, leased_until: null })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute();
}
