import { PAGE_SIZE } from '../../platform/background/each-due.js';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema/schema.js';
import { LOOK_UP_AFTER_MS } from './charges.js';

/** Charge of a checkout that has no stored result. */
export interface StartedCharge {
  /** Order id. */
  readonly id: string;
  readonly reservationId: string;
  readonly buyerId: string;
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
  after: StartedCharge | undefined,
  now: number,
): Promise<StartedCharge[]> {
  const rows = await checkoutCharges(db)
    .where((eb) => eb.or([eb('look_up_at', '<=', now), eb('started_at', '>', now + LOOK_UP_AFTER_MS)]))
    .$if(after !== undefined, (query) => query.where('order_id', '>', after?.id ?? ''))
    .orderBy('order_id')
    .limit(PAGE_SIZE)
    .execute();
  return rows.map(asStarted);
}

/** Charges of a buyer that are looked up before a payment. More exist only if every payment fails. */
const CHARGES_PER_BUYER = 10;
/** Time after which a charge without a result has probably crashed, in milliseconds. */
const CRASHED_AFTER_MS = 60_000;

/**
 * Lists the newest charges of a buyer's checkouts whose results were lost, by an error or by a crash, except that of an order. Charges
 * that are under way are not among them.
 */
export async function listLostCharges(
  db: Database,
  { buyerId, except, now }: { buyerId: string; except: string; now: number },
): Promise<StartedCharge[]> {
  const rows = await checkoutCharges(db)
    .where('user_id', '=', buyerId)
    .where('order_id', '!=', except)
    .where((eb) => eb.or([eb('lost_at', 'is not', null), eb('started_at', '<=', now - CRASHED_AFTER_MS)]))
    .orderBy('started_at', 'desc')
    .limit(CHARGES_PER_BUYER)
    .execute();
  return rows.map(asStarted);
}

function checkoutCharges(db: Database) {
  return db.selectFrom('charges').selectAll().where('subscription_id', 'is', null);
}

function asStarted(row: Selectable<Schema['charges']>): StartedCharge {
  return {
    id: row.order_id,
    reservationId: row.reservation_id,
    buyerId: row.user_id,
    method: row.payment_method ?? '',
    facts: row.facts ?? '',
    attempts: row.attempts,
    startedAt: row.started_at,
    lookUpAt: row.look_up_at,
  };
}

/**
 * Leases a charge, so that no other process looks its order up until then.
 *
 * @returns the charge with the lease; `undefined` if another process has leased or ended it, or the buyer tried again.
 */
export async function leaseCharge(
  db: Database,
  charge: StartedCharge,
  { now, until }: { now: number; until: number },
): Promise<StartedCharge | undefined> {
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
export async function endLeasedCharge(transaction: Database, charge: StartedCharge): Promise<boolean> {
  const ended = await transaction
    .deleteFrom('charges')
    .where('order_id', '=', charge.id)
    .where('attempts', '=', charge.attempts)
    .where('look_up_at', '=', charge.lookUpAt)
    .returning('order_id')
    .executeTakeFirst();
  return ended !== undefined;
}
