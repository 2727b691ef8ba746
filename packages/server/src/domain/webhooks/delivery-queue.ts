import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { hasRowLocks } from '../../platform/database/row-locks.js';
import type { Schema } from '../../platform/database/schema.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { type AttemptDecision, decideAttempt } from './attempt-decision.js';
import { WAITS_FOR_WEBHOOK } from './next-attempt.js';
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

/** Finished attempt. */
export interface EndedAttempt {
  delivery: Pick<LeasedDelivery, 'id' | 'leaseId' | 'url'>;
  attemptedAt: number;
  durationMs: number;
  statusCode: number | null;
  /** Null if the attempt succeeded. */
  failure: string | null;
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

interface DecidedAttempt {
  decision: AttemptDecision;
  now: number;
}

async function updateDelivery(
  transaction: Database,
  id: string,
  { decision, now }: DecidedAttempt,
): Promise<void> {
  await transaction
    .updateTable('webhook_deliveries')
    .set({
      status: decision.status,
      lease_id: null,
      leased_until: null,
      finished_at: decision.status === 'pending' ? null : now,
      ...(decision.nextAttemptAt !== undefined && { next_attempt_at: decision.nextAttemptAt }),
    })
    .where('id', '=', id)
    .execute();
}

async function updateWebhookHealth(
  transaction: Database,
  id: string,
  { decision, now }: DecidedAttempt,
): Promise<void> {
  await transaction
    .updateTable('webhooks')
    .set({ failing_since: decision.failingSince, ...(decision.pauses && { paused_at: now }) })
    .where('id', '=', id)
    .execute();
  if (!decision.pauses) return;
  await transaction
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: WAITS_FOR_WEBHOOK })
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/**
 * Reads a webhook's health. Notes its first answer, and counts the failed attempts before it. Both concern the URL of the
 * attempt: the owner can enter the URL of a stranger while the answer is on its way.
 */
async function noteAnswer(
  transaction: Database,
  { id, url }: { id: string; url: string },
  { answered, now }: { answered: boolean; now: number },
) {
  const columns = ['is_active', 'failing_since', 'paused_at', 'answered_at', 'unanswered_attempts'] as const;
  const first = await transaction
    .updateTable('webhooks')
    .set(({ eb }) =>
      answered ? { answered_at: now } : { unanswered_attempts: eb('unanswered_attempts', '+', 1) },
    )
    .where('id', '=', id)
    .where('url', '=', url)
    .where('answered_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
  if (first !== undefined) return first;
  return await transaction
    .selectFrom('webhooks')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
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

/**
 * Records an attempt and its consequences in one transaction. A success counts even after the lease has passed to
 * another worker. A failure then is recorded without consequences for the delivery.
 *
 * @returns the decision; `undefined` if the delivery was deleted meanwhile.
 */
export function recordAttempt(
  db: Database,
  { delivery, attemptedAt, durationMs, statusCode, failure }: EndedAttempt,
  now: number,
): Promise<AttemptDecision | undefined> {
  const work = async (transaction: Database) => {
    // The update comes first, so that concurrent changes of the same delivery wait here.
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
    const endpoint = { id: row.webhook_id, url: delivery.url };
    const webhook = await noteAnswer(transaction, endpoint, { answered: failure === null, now });
    const decision = decideAttempt({
      delivered: failure === null,
      attempts: row.attempts,
      failingSince: webhook.failing_since,
      hasAnswered: webhook.answered_at !== null,
      // `noteAnswer` has counted this attempt, unless the URL is new.
      unansweredAttempts: webhook.unanswered_attempts - 1,
      isActive: webhook.is_active === 1 && webhook.paused_at === null,
      now,
      random: Math.random(),
    });
    if (row.status === 'pending' && (failure === null || row.lease_id === delivery.leaseId)) {
      await updateDelivery(transaction, delivery.id, { decision, now });
    }
    if (decision.failingSince !== webhook.failing_since || decision.pauses) {
      await updateWebhookHealth(transaction, row.webhook_id, { decision, now });
    }
    return decision;
  };
  // Every write is conditional. Serializable isolation would retry operations that read the webhooks of an event whenever
  // an attempt changes a webhook's health.
  return inTransaction(db, work, { isolation: 'read committed' });
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
