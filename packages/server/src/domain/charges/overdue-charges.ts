import { PAGE_SIZE } from '../../platform/background/each-due.js';
import type { Database } from '../../platform/database/open-database.js';
import { hasCharges } from './charges.js';

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

/** Lists one page of the charges whose orders are looked up now. */
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
    .where('look_up_at', '<=', now)
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
  until: number,
): Promise<OverdueCharge | undefined> {
  const leased = await db
    .updateTable('charges')
    .set({ look_up_at: until })
    .where('order_id', '=', charge.id)
    .where('attempts', '=', charge.attempts)
    .where('look_up_at', '=', charge.lookUpAt)
    .returning('order_id')
    .executeTakeFirst();
  return leased && { ...charge, lookUpAt: until };
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
