import { type Database, PENDING, RENEWAL_LEAD_MS } from '@latchkey/server/extension';
import type { TimeRange } from './occasions.js';

/**
 * Returns the next instant at which the service has work to do; `undefined` if there is none. A move asks this at each step,
 * so each query reads one entry of an index.
 *
 * @param sendsDeliveries false if the next attempts of deliveries do not count.
 */
export async function nextWork(
  db: Database,
  range: TimeRange,
  { sendsDeliveries }: { sendsDeliveries: boolean },
): Promise<number | undefined> {
  const found = await Promise.all([
    nextRenewal(db, range),
    nextEnd(db, range),
    sendsDeliveries ? nextAttempt(db, range) : undefined,
  ]);
  const instants = found.filter((at) => at !== undefined);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

async function nextRenewal(db: Database, { from, to }: TimeRange): Promise<number | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select('valid_until')
    .where('subscription_id', 'is not', null)
    .where('subscription_cancelled_at', 'is', null)
    .where('valid_until', '>', from + RENEWAL_LEAD_MS)
    .where('valid_until', '<=', to + RENEWAL_LEAD_MS)
    .orderBy('valid_until')
    .limit(1)
    .executeTakeFirst();
  return row?.valid_until == null ? undefined : row.valid_until - RENEWAL_LEAD_MS;
}

async function nextEnd(db: Database, { from, to }: TimeRange): Promise<number | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select('valid_until')
    .where('lapse_announced_at', 'is', null)
    .where('valid_until', '>', from)
    .where('valid_until', '<=', to)
    .orderBy('valid_until')
    .limit(1)
    .executeTakeFirst();
  return row?.valid_until ?? undefined;
}

async function nextAttempt(db: Database, { from, to }: TimeRange): Promise<number | undefined> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('next_attempt_at')
    .where('status', '=', PENDING)
    .where('next_attempt_at', '>', from)
    .where('next_attempt_at', '<=', to)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at;
}
