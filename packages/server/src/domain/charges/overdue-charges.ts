import { PAGE_SIZE } from '../../platform/background/each-due.js';
import type { Database } from '../../platform/database/open-database.js';
import { hasCharges, LOOK_UP_AFTER_MS } from './charges.js';

/** Charge of a checkout that has no stored result long after its last attempt. */
export interface OverdueCharge {
  /** Order id. */
  readonly id: string;
  readonly reservationId: string;
  /** Payment method of the last attempt. */
  readonly method: string;
  /** Facts of the checkout, as JSON. */
  readonly facts: string;
  readonly attempts: number;
  /** Time of the last attempt. */
  readonly startedAt: number;
  /** Time from which the order is looked up, or end of the lease of the process that looks it up. */
  readonly lookUpAt: number;
}

/**
 * Lists one page of the charges whose orders are looked up now. A start in the future is that of a clock which was ahead. Its order is
 * looked up too: otherwise the clock would have to reach that time first.
 */
export async function listOverdueCharges(
  db: Database,
  after: OverdueCharge | undefined,
  now: number,
): Promise<OverdueCharge[]> {
  if (!(await hasCharges(db))) return [];
  const rows = await db
    .selectFrom('charges')
    .select(['order_id', 'reservation_id', 'payment_method', 'facts'])
    .select(['attempts', 'started_at', 'look_up_at'])
    .where('subscription_id', 'is', null)
    .where((eb) => eb.or([eb('look_up_at', '<=', now), eb('started_at', '>', now + LOOK_UP_AFTER_MS)]))
    .$if(after !== undefined, (query) => query.where('order_id', '>', after?.id ?? ''))
    .orderBy('order_id')
    .limit(PAGE_SIZE)
    .execute();
  return rows.map((row) => ({
    id: row.order_id,
    reservationId: row.reservation_id,
    method: row.payment_method ?? '',
    facts: row.facts ?? '',
    attempts: row.attempts,
    startedAt: row.started_at,
    lookUpAt: row.look_up_at,
  }));
}

/**
 * Leases a charge, so that no other process looks its order up until then.
 *
 * @returns the charge with the lease; `undefined` if another process has leased or ended it, or the buyer tried again.
 */
export async function leaseCharge(
  db: Database,
  charge: OverdueCharge,
  { now, until }: { now: number; until: number },
): Promise<OverdueCharge | undefined> {
  const startedAt = Math.min(charge.startedAt, now);
  const leased = await db
    .updateTable('charges')
    .set({ look_up_at: until, started_at: startedAt })
    .where('order_id', '=', charge.id)
    .where('attempts', '=', charge.attempts)
    .where('look_up_at', '=', charge.lookUpAt)
    .returning('order_id')
    .executeTakeFirst();
  return leased && { ...charge, startedAt, lookUpAt: until };
}

/** Deletes a leased charge. False if it has changed since: the buyer tried again, or its result was stored. */
export async function endLeasedCharge(transaction: Database, charge: OverdueCharge): Promise<boolean> {
  const ended = await transaction
    .deleteFrom('charges')
    .where('order_id', '=', charge.id)
    .where('attempts', '=', charge.attempts)
    .where('look_up_at', '=', charge.lookUpAt)
    .returning('order_id')
    .executeTakeFirst();
  return ended !== undefined;
}
