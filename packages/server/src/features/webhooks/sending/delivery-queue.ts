import { sql } from '../../../platform/database/kysely.js';
import { isDue, type Lease, leaseRows, PENDING } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import { isOneOf, rowList, textList } from '../../../platform/database/rows.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ownedByItsOwner } from '../registration/webhook-ownership.js';

const DELIVERIES = 'webhook_deliveries';

export interface DueEndpoint {
  webhookId: string;
  /** True if the last attempt at the endpoint failed. */
  failing: boolean;
}

export type LeasedDelivery = Awaited<ReturnType<typeof leaseDeliveries>>[number];

/** Endpoints that one statement visits, to limit how long it takes. */
const STEPS_PER_WALK = 500;

/** The walk through the index goes from one endpoint to the next: its cost doesn't grow with an endpoint's backlog. */
export async function listDueEndpoints(db: Database, after: string, now: number) {
  const rows = await db
    .withRecursive('waiting(webhook_id, step)', (query) =>
      query
        .selectFrom(DELIVERIES)
        .select(({ fn }) => fn.min<string | null>('webhook_id').as('webhook_id'))
        .select(sql.lit(1).as('step'))
        .where('status', '=', PENDING)
        .where('webhook_id', '>', after)
        .unionAll(
          query
            .selectFrom('waiting')
            .select(({ selectFrom }) =>
              selectFrom(DELIVERIES)
                .select(({ fn }) => fn.min('webhook_deliveries.webhook_id').as('next'))
                .where('webhook_deliveries.status', '=', PENDING)
                .whereRef('webhook_deliveries.webhook_id', '>', 'waiting.webhook_id')
                .as('webhook_id'),
            )
            .select(({ eb }) => eb('waiting.step', '+', sql.lit(1)).as('step'))
            .where('waiting.webhook_id', 'is not', null)
            .where('waiting.step', '<', sql.lit(STEPS_PER_WALK)),
        ),
    )
    .selectFrom('waiting')
    .innerJoin('webhooks', 'webhooks.id', 'waiting.webhook_id')
    .select(['webhooks.id', 'webhooks.failing_since', 'waiting.step'])
    .select((eb) =>
      eb
        .case()
        .when(
          eb.and([
            eb('webhooks.is_active', '=', 1),
            eb('webhooks.paused_at', 'is', null),
            // A query of one row walks the index of the endpoint. PostgreSQL can turn `exists` into a scan of all due rows.
            eb(
              eb
                .selectFrom(DELIVERIES)
                .select('webhook_deliveries.id')
                .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
                .where(isDue(DELIVERIES, now))
                .orderBy('webhook_deliveries.next_attempt_at')
                .limit(1),
              'is not',
              null,
            ),
            ownedByItsOwner(eb),
          ]),
        )
        .then(sql.lit(1))
        .else(sql.lit(0))
        .end()
        .as('is_due'),
    )
    .orderBy('waiting.step')
    .execute();
  const due = rows.filter(({ is_due }) => is_due === 1);
  return {
    due: due.map((row) => ({ webhookId: row.id, failing: row.failing_since !== null })),
    /** Id after which the walk continues; `undefined` after the last endpoint. */
    next: rows.length === STEPS_PER_WALK ? rows.at(-1)?.id : undefined,
  };
}

export const LEASED_PER_ENDPOINT = 4;

export interface EndpointShare extends DueEndpoint {
  /** Maximum number of deliveries, up to {@link LEASED_PER_ENDPOINT}. */
  limit: number;
}

/** Leases due deliveries of several endpoints, the most overdue of each first. Returns them in the order of their events. */
export async function leaseDeliveries(
  db: Database,
  shares: readonly Pick<EndpointShare, 'webhookId' | 'limit'>[],
  { lease, now }: { lease: Lease; now: number },
) {
  const endpoints = rowList(
    db,
    { webhook_id: 'text', deliveries: 'bigint' },
    shares.map(({ webhookId, limit }) => ({ webhook_id: webhookId, deliveries: limit })),
  );
  // The first, the second … due delivery of each endpoint, each found by its position in the index.
  const positions = Array.from({ length: Math.max(...shares.map(({ limit }) => limit)) }, (_, position) => {
    const delivery = sql`select id from webhook_deliveries
      where webhook_deliveries.webhook_id = endpoint.webhook_id and ${isDue(DELIVERIES, now)}
      order by next_attempt_at limit 1 offset ${sql.lit(position)}`;
    return sql`select (${delivery}) as id from ${endpoints} as endpoint where deliveries > ${sql.lit(position)}`;
  });
  const candidates = sql`(${sql.join(positions, sql` union all `)})`;
  const ids = await leaseRows(db, DELIVERIES, { candidates, lease, now });
  return ids.length === 0 ? [] : await readLeased(db, ids, lease.id);
}

async function readLeased(db: Database, ids: readonly string[], leaseId: string) {
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['delivery.id', 'delivery.event_id', 'delivery.webhook_id', 'webhooks.url', 'webhooks.secret'])
    .where(isOneOf(db, 'delivery.id', textList(db, ids)))
    .where('delivery.lease_id', '=', leaseId)
    .orderBy('delivery.created_at')
    .orderBy('delivery.id')
    .execute();
  // Many deliveries share an event. Its body is read once.
  const eventIds = [...new Set(rows.map(({ event_id }) => event_id))];
  const events = await db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'body'])
    .where(isOneOf(db, 'id', textList(db, eventIds)))
    .execute();
  const eventsById = new Map(events.map((event) => [event.id, event]));
  return rows.flatMap(({ id, event_id, webhook_id: webhookId, url, secret }) => {
    const event = eventsById.get(event_id);
    if (event === undefined) return [];
    return [
      { id, leaseId, webhookId, url, secret, event: { id: event.id, type: event.type }, body: event.body },
    ];
  });
}

/** Ends the lease of a delivery without an attempt, and makes it due later. */
export async function postponeDelivery(
  db: Database,
  { id, leaseId }: Pick<LeasedDelivery, 'id' | 'leaseId'>,
  until: number,
): Promise<void> {
  await db
    .updateTable(DELIVERIES)
    .set({ lease_id: null, leased_until: null, next_attempt_at: until })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute();
}

export async function releaseDeliveries(
  db: Database,
  deliveries: readonly Pick<LeasedDelivery, 'id' | 'leaseId' | 'webhookId'>[],
): Promise<void> {
  const rows = deliveries.map(({ id, leaseId }) => ({ id, lease_id: leaseId }));
  const work = async (transaction: Database) => {
    await lockWebhooks(
      transaction,
      deliveries.map(({ webhookId }) => webhookId),
    );
    await transaction
      .updateTable(DELIVERIES)
      .from(rowList(db, { id: 'text', lease_id: 'text' }, rows).as('released'))
      .set({ lease_id: null, leased_until: null })
      .whereRef('webhook_deliveries.id', '=', 'released.id')
      .whereRef('webhook_deliveries.lease_id', '=', 'released.lease_id')
      .execute();
  };
  await inTransaction(db, work, { isolation: 'read committed' });
}

/**
 * Locks webhooks in the order of their ids. Every transaction that changes several deliveries calls it first: two that
 * lock rows in the order in which they find them could deadlock.
 */
export async function lockWebhooks(transaction: Database, webhookIds: readonly string[]) {
  const rows = await transaction
    .selectFrom('webhooks')
    .select(['id', 'url', 'is_active', 'failing_since', 'paused_at', 'answered_at', 'unanswered_attempts'])
    .where('id', 'in', textList(transaction, [...new Set(webhookIds)]))
    .orderBy('id')
    // New deliveries refer to the webhook. This lock still allows inserting them.
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
