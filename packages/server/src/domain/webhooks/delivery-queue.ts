import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { hasRowLocks } from '../../platform/database/row-locks.js';
import type { Schema } from '../../platform/database/schema.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { type AttemptVerdict, judgeAttempt } from './attempt-result.js';
import { HELD } from './held-delivery.js';
import { ownedByItsOwner } from './webhook-ownership.js';

/** An endpoint that has something due. */
export interface DueEndpoint {
  webhookId: string;
  /** Its last attempt failed. */
  failing: boolean;
}

/** What a worker takes on: nobody else does until the lease ends. */
export interface DeliveryLease {
  id: string;
  /** Milliseconds since the epoch. */
  until: number;
  /** How many deliveries it is for, at most. */
  limit: number;
}

/** A delivery that a worker has taken on. */
export interface LeasedDelivery {
  id: string;
  leaseId: string;
  webhookId: string;
  url: string;
  secret: string;
  event: { id: string; type: string };
  body: string;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  delivery: Pick<LeasedDelivery, 'id' | 'leaseId'>;
  attemptedAt: number;
  durationMs: number;
  statusCode: number | null;
  /** Null when it was delivered. */
  failure: string | null;
}

/** Written out, not bound: the indexes of what waits are limited to it. */
const PENDING = sql.lit('pending' as const);

/** The delivery waits, its time has come, and nobody works on it. */
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

interface Consequence {
  verdict: AttemptVerdict;
  now: number;
}

async function moveOn(transaction: Database, id: string, { verdict, now }: Consequence): Promise<void> {
  await transaction
    .updateTable('webhook_deliveries')
    .set({
      status: verdict.status,
      lease_id: null,
      leased_until: null,
      finished_at: verdict.status === 'pending' ? null : now,
      ...(verdict.nextAttemptAt !== undefined && { next_attempt_at: verdict.nextAttemptAt }),
    })
    .where('id', '=', id)
    .execute();
}

async function noteHealth(transaction: Database, id: string, { verdict, now }: Consequence): Promise<void> {
  await transaction
    .updateTable('webhooks')
    .set({ failing_since: verdict.failingSince, ...(verdict.pauses && { paused_at: now }) })
    .where('id', '=', id)
    .execute();
  if (!verdict.pauses) return;
  await transaction
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: HELD })
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}
/** Every endpoint that has something due, ordered by id. */
export async function listDueEndpoints(db: Database, now: number): Promise<DueEndpoint[]> {
  // Mostly there is nothing, and this is all that finding out costs.
  const any = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where((eb) => isDue(eb, now))
    .limit(1)
    .executeTakeFirst();
  if (any === undefined) return [];
  // From one endpoint to the next by the index, past everything that waits at each: a long backlog costs no more.
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

/** Takes on an endpoint's deliveries that are due and that nobody works on, the longest due ones first. */
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

/**
 * Records an attempt with everything that follows from it, in one transaction. A success counts whoever holds the
 * lease by now; a failure does only for the holder, for the others it is recorded and changes nothing. Gives what
 * followed, or `undefined` when the delivery was deleted meanwhile.
 */
export function recordAttempt(
  db: Database,
  { delivery, attemptedAt, durationMs, statusCode, failure }: EndedAttempt,
  now: number,
): Promise<AttemptVerdict | undefined> {
  const work = async (transaction: Database) => {
    // Writing comes first, so that whoever records or reopens the same delivery waits here.
    const row = await transaction
      .updateTable('webhook_deliveries')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', '=', delivery.id)
      .returning(['webhook_id', 'status', 'attempts', 'lease_id'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await transaction
      .insertInto('webhook_attempts')
      .values({
        id: randomUUID(),
        delivery_id: delivery.id,
        attempted_at: attemptedAt,
        duration_ms: durationMs,
        status_code: statusCode,
        failure,
      })
      .execute();
    const webhook = await transaction
      .selectFrom('webhooks')
      .select(['is_active', 'failing_since', 'paused_at'])
      .where('id', '=', row.webhook_id)
      .executeTakeFirstOrThrow();
    const verdict = judgeAttempt({
      delivered: failure === null,
      attempts: row.attempts,
      failingSince: webhook.failing_since,
      goesOut: webhook.is_active === 1 && webhook.paused_at === null,
      now,
      random: Math.random(),
    });
    if (row.status === 'pending' && (failure === null || row.lease_id === delivery.leaseId)) {
      await moveOn(transaction, delivery.id, { verdict, now });
    }
    if (verdict.failingSince !== webhook.failing_since || verdict.pauses) {
      await noteHealth(transaction, row.webhook_id, { verdict, now });
    }
    return verdict;
  };
  // Each write decides for itself; so an endpoint's ups and downs never make an operation begin anew that reads who
  // hears its event.
  return inTransaction(db, work, { isolation: 'read committed' });
}

/** Gives a delivery back, as if it had not been taken on. */
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
