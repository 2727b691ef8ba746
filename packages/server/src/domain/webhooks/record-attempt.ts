import type { Database } from '../../platform/database/open-database.js';
import { hasRowLocks } from '../../platform/database/row-locks.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { type AttemptDecision, decideAttempt } from './attempt-decision.js';
import { dropOldExchange, exchangeColumns, type StoredExchange } from './attempt-exchange.js';
import type { LeasedDelivery } from './delivery-queue.js';
import { WAITS_FOR_WEBHOOK } from './next-attempt.js';

/** Finished attempt. */
export interface EndedAttempt {
  id: string;
  delivery: Pick<LeasedDelivery, 'id' | 'leaseId' | 'url' | 'webhookId'>;
  attemptedAt: number;
  durationMs: number;
  statusCode: number | null;
  /** Null if the attempt succeeded. */
  failure: string | null;
  /** Undefined for an attempt that sent no request. */
  exchange?: StoredExchange | undefined;
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
 * Locks a webhook before its deliveries, as every transaction that changes both does. An attempt that pauses the webhook
 * changes all of its deliveries, and would otherwise deadlock with every attempt that has locked one of them.
 */
async function lockWebhook(transaction: Database, id: string): Promise<void> {
  if (!hasRowLocks(transaction)) return;
  // New deliveries refer to the webhook. This lock lets them be inserted meanwhile.
  await transaction.selectFrom('webhooks').select('id').where('id', '=', id).forNoKeyUpdate().execute();
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

/**
 * Records an attempt and its consequences in one transaction. A success counts even after the lease has passed to
 * another worker. A failure then is recorded without consequences for the delivery.
 *
 * @returns the decision; `undefined` if the delivery was deleted meanwhile, or the attempt is recorded already.
 */
export function recordAttempt(
  db: Database,
  { id, delivery, attemptedAt, durationMs, statusCode, failure, exchange }: EndedAttempt,
  now: number,
): Promise<AttemptDecision | undefined> {
  const work = async (transaction: Database) => {
    await lockWebhook(transaction, delivery.webhookId);
    // The update comes before every read, so that concurrent changes of the same delivery wait here.
    const row = await transaction
      .updateTable('webhook_deliveries')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', '=', delivery.id)
      // A connection can be lost after the commit and before its answer. The worker then records the attempt again.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('webhook_attempts').select('id').where('webhook_attempts.id', '=', id))),
      )
      .returning(['webhook_id', 'status', 'attempts', 'lease_id'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await transaction
      .insertInto('webhook_attempts')
      .values({
        id,
        delivery_id: delivery.id,
        attempted_at: attemptedAt,
        duration_ms: durationMs,
        status_code: statusCode,
        failure,
        ...exchangeColumns(exchange),
      })
      .execute();
    await dropOldExchange(transaction, delivery.id);
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
