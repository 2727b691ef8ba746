import { sql } from '../../../platform/database/kysely.js';
import { PENDING } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import { pick, runDeferredWrite } from '../../../platform/database/prepared-query.js';
import { rowList, textList } from '../../../platform/database/rows.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { actingAs, recordAudit } from '../../audit/audit.js';
import {
  type AttemptDecision,
  consequencesOf,
  type DeliveryState,
  type WebhookHealth,
} from '../attempt/attempt-decision.js';
import {
  dropOldRoundTrips,
  NO_ROUND_TRIP,
  type RoundTripColumns,
  STORED_ROUND_TRIPS,
} from '../attempt/stored-round-trip.js';
import { WAITS_FOR_WEBHOOK } from '../registration/webhook-ownership.js';
import { type LeasedDelivery, lockWebhooks } from './delivery-queue.js';

export interface EndedAttempt {
  id: string;
  delivery: Pick<LeasedDelivery, 'id' | 'leaseId' | 'url' | 'webhookId'>;
  attemptedAt: number;
  durationMs: number;
  statusCode: number | null;
  failure: string | null;
  /** Undefined for an attempt that sent no request. */
  roundTrip?: RoundTripColumns | undefined;
}

interface LockedDelivery extends DeliveryState {
  stored: number;
}

/** The attempts are of different deliveries. `undefined` for one that's already recorded, or whose delivery is gone. */
export function recordAttempts(
  db: Database,
  attempts: readonly EndedAttempt[],
  now: number,
): Promise<(AttemptDecision | undefined)[]> {
  const work = async (transaction: Database) => {
    const webhooks = await lockWebhooks(
      transaction,
      attempts.map(({ delivery }) => delivery.webhookId),
    );
    const deliveries = await lockDeliveries(transaction, attempts);
    const { decisions, recorded, changed, paused } = decide(attempts, { webhooks, deliveries, now });
    if (recorded.length > 0) {
      await insertAttempts(transaction, recorded);
      await updateRows(transaction, 'webhook_deliveries', {
        types: DELIVERY_TYPES,
        rows: [...deliveries.values()],
      });
    }
    if (changed.size > 0)
      await updateRows(transaction, 'webhooks', { types: WEBHOOK_TYPES, rows: [...changed.values()] });
    if (paused.length > 0) await holdDeliveries(transaction, paused);
    for (const id of paused) await recordAudit(transaction, { action: 'webhook.pause', subjectId: id });
    const full = [...deliveries.values()].filter(({ stored }) => stored >= STORED_ROUND_TRIPS);
    if (full.length > 0) {
      await dropOldRoundTrips(
        transaction,
        full.map(({ id }) => id),
      );
    }
    return decisions;
  };
  // Every row is locked before it's read. With serializable isolation, an attempt that changes a webhook's health would
  // force retries of operations that read the webhooks of an event.
  const record = () => inTransaction(db, work, { isolation: 'read committed' });
  return actingAs('system', { now: () => now }, record);
}

/** Decides the attempts one after another: each can change its webhook's health for the next one. */
function decide(
  attempts: readonly EndedAttempt[],
  {
    webhooks,
    deliveries,
    now,
  }: { webhooks: Map<string, WebhookHealth>; deliveries: Map<string, LockedDelivery>; now: number },
) {
  const recorded: EndedAttempt[] = [];
  const changed = new Map<string, WebhookHealth>();
  const paused: string[] = [];
  const decisions = attempts.map((attempt) => {
    const { delivery, failure } = attempt;
    const webhook = webhooks.get(delivery.webhookId);
    const state = deliveries.get(delivery.id);
    if (webhook === undefined || state === undefined) return undefined;
    const { url, leaseId } = delivery;
    const facts = { answered: failure === null, url, leaseId, now, random: Math.random() };
    const consequences = consequencesOf(facts, { webhook, delivery: state });
    recorded.push(attempt);
    deliveries.set(state.id, { ...state, ...consequences.delivery });
    webhooks.set(webhook.id, consequences.webhook);
    if (differs(webhook, consequences.webhook)) changed.set(webhook.id, consequences.webhook);
    if (consequences.decision.pauses) paused.push(webhook.id);
    return consequences.decision;
  });
  return { decisions, recorded, changed, paused };
}

function differs(one: WebhookHealth, other: WebhookHealth): boolean {
  return (Object.keys(one) as (keyof WebhookHealth)[]).some((name) => one[name] !== other[name]);
}

async function lockDeliveries(transaction: Database, attempts: readonly EndedAttempt[]) {
  const ended = attempts.map(({ id, delivery }) => ({ delivery_id: delivery.id, attempt_id: id }));
  const rows = await transaction
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin(
      rowList(transaction, { delivery_id: 'text', attempt_id: 'text' }, ended).as('ended'),
      'ended.delivery_id',
      'delivery.id',
    )
    .select([
      'delivery.id',
      'status',
      'attempts',
      'next_attempt_at',
      'lease_id',
      'leased_until',
      'finished_at',
    ])
    .select(({ selectFrom }) =>
      selectFrom('webhook_attempts')
        .select(({ fn }) => fn.countAll<number>().as('stored'))
        .whereRef('webhook_attempts.delivery_id', '=', 'delivery.id')
        .as('stored'),
    )
    // A connection can be lost after the commit and before its response. The worker then records the attempt again.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_attempts')
            .select('id')
            .whereRef('webhook_attempts.id', '=', 'ended.attempt_id'),
        ),
      ),
    )
    .orderBy('delivery.id')
    .forUpdate('delivery')
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, stored: Number(row.stored) }]));
}

const ATTEMPT_TYPES = {
  id: 'text',
  delivery_id: 'text',
  attempted_at: 'bigint',
  duration_ms: 'bigint',
  status_code: 'bigint',
  failure: 'text',
  request_url: 'text',
  request_headers: 'text',
  response_headers: 'text',
  response_body: 'text',
  response_bytes: 'bigint',
} as const;
const ATTEMPT_COLUMNS = Object.keys(ATTEMPT_TYPES) as (keyof typeof ATTEMPT_TYPES)[];

async function insertAttempts(transaction: Database, attempts: readonly EndedAttempt[]): Promise<void> {
  const rows = attempts.map(({ id, delivery, attemptedAt, durationMs, statusCode, failure, roundTrip }) => ({
    id,
    delivery_id: delivery.id,
    attempted_at: attemptedAt,
    duration_ms: durationMs,
    status_code: statusCode,
    failure,
    ...(roundTrip ?? NO_ROUND_TRIP),
  }));
  const list = rowList(transaction, ATTEMPT_TYPES, rows);
  const write = transaction
    .insertInto('webhook_attempts')
    .columns([...ATTEMPT_COLUMNS])
    .expression(({ selectFrom }) => selectFrom(list.as('ended')).select([...ATTEMPT_COLUMNS]));
  await runDeferredWrite(transaction, write);
}

const DELIVERY_TYPES = {
  id: 'text',
  status: 'text',
  attempts: 'bigint',
  next_attempt_at: 'bigint',
  lease_id: 'text',
  leased_until: 'bigint',
  finished_at: 'bigint',
} as const;
const WEBHOOK_TYPES = {
  id: 'text',
  failing_since: 'bigint',
  paused_at: 'bigint',
  answered_at: 'bigint',
  unanswered_attempts: 'bigint',
} as const;

async function updateRows<Types extends Readonly<Record<string, 'text' | 'bigint'>>>(
  transaction: Database,
  table: 'webhook_deliveries' | 'webhooks',
  { types, rows }: { types: Types; rows: readonly { [Name in keyof Types]: string | number | null }[] },
): Promise<void> {
  const names = Object.keys(types);
  const decided = rowList(
    transaction,
    types,
    rows.map((row) => pick(row, names)),
  );
  const changes = names.filter((name) => name !== 'id');
  const write = transaction
    .updateTable(table as 'webhooks')
    .from(decided.as('decided'))
    .set(Object.fromEntries(changes.map((name) => [name, sql.ref(`decided.${name}`)])))
    .where(sql.ref(`${table}.id`), '=', sql.ref('decided.id'));
  await runDeferredWrite(transaction, write);
}

async function holdDeliveries(transaction: Database, webhookIds: readonly string[]): Promise<void> {
  const write = transaction
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: WAITS_FOR_WEBHOOK })
    .where('webhook_id', 'in', textList(transaction, webhookIds))
    .where('status', '=', PENDING);
  await runDeferredWrite(transaction, write);
}
