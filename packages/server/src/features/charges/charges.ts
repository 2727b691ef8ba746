import type { Row } from '../../migrations/schema.js';
import { type Expression, type SqlBool, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { hasRows } from '../../platform/database/rows.js';

/** Until the provider is asked for the result of a checkout's charge. Longer than requests take. */
const LOOK_UP_AFTER_MS = 15 * 60_000;
/** How long one process holds a renewal. A charge takes less: a process that holds it for longer has died. */
export const RENEWAL_LEASE_MS = 60_000;

type StartingCharge = Pick<Row<'charges'>, 'order_id' | 'reservation_id' | 'user_id'> &
  Partial<Pick<Row<'charges'>, 'payment_method' | 'facts' | 'subscription_id' | 'period_end'>>;

/** Lets the result be stored after a crash, and keeps what it refers to. Attempts at the same order share the row. */
export async function startCharge(transaction: Database, charge: StartingCharge, now: number): Promise<void> {
  const waitMs = charge.subscription_id === undefined ? LOOK_UP_AFTER_MS : RENEWAL_LEASE_MS;
  const attempt = { ...charge, closed_at: null, started_at: now, look_up_at: now + waitMs };
  await transaction
    .insertInto('charges')
    .values({ ...attempt, attempts: 1 })
    .onConflict((conflict) =>
      conflict
        .column('order_id')
        .doUpdateSet((eb) => ({ ...attempt, attempts: eb('charges.attempts', '+', 1) })),
    )
    .execute();
}

/** True while a process charges the renewal. Ignores a lease that a process took whose clock ran fast. */
export function isCharging(now: number): Expression<SqlBool> {
  const leasedUntil = sql.ref('charges.look_up_at');
  return sql<SqlBool>`(${leasedUntil} > ${now} and ${leasedUntil} <= ${now + RENEWAL_LEASE_MS})`;
}

export async function isStarted(db: Database, orderId: string): Promise<boolean> {
  return await hasRows(db.selectFrom('charges').where('order_id', '=', orderId));
}

/** The charge stays started until it's paid or can no longer be. */
export async function markRedirected(db: Database, orderId: string, reference: string): Promise<void> {
  // An event about the previous page may have closed the charge in the meantime.
  const open = { reference, lost_at: null, closed_at: null };
  await db.updateTable('charges').set(open).where('order_id', '=', orderId).execute();
}

/** Keeps the row: a late payment can still be stored. False if the buyer has started another attempt. */
export async function closeCharge(
  transaction: Database,
  { orderId, reference }: { orderId: string; reference: string },
  now: number,
): Promise<boolean> {
  const closed = await transaction
    .updateTable('charges')
    .set({ closed_at: now })
    .where('order_id', '=', orderId)
    .where('reference', '=', reference)
    .where('closed_at', 'is', null)
    .returning('order_id')
    .executeTakeFirst();
  return closed !== undefined;
}

export async function loseAttempt(db: Database, orderId: string, now: number): Promise<void> {
  await db.updateTable('charges').set({ lost_at: now }).where('order_id', '=', orderId).execute();
}

/** Returns the buyer: a claim may have become part of another user since the charge was started. */
export async function endCharge(transaction: Database, orderId: string) {
  const ended = transaction.deleteFrom('charges').where('order_id', '=', orderId).returning('user_id');
  return (await ended.executeTakeFirst())?.user_id;
}

/** Like {@link endCharge}, but the charge stays started while another attempt, which can succeed, has no result. */
export async function endAttempt(transaction: Database, orderId: string) {
  const other = await transaction
    .updateTable('charges')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('order_id', '=', orderId)
    .where('attempts', '>', 1)
    .returning('user_id')
    .executeTakeFirst();
  return other?.user_id ?? (await endCharge(transaction, orderId));
}

export async function isProductCharged(db: Database, productId: string): Promise<boolean> {
  return await hasRows(
    db
      .selectFrom('charges')
      .innerJoin('checkout_reservations', 'checkout_reservations.id', 'charges.reservation_id')
      .where('checkout_reservations.product_id', '=', productId)
      .where('charges.closed_at', 'is', null),
  );
}

/** `reason` of a successful payment that gave no access. */
export const NO_ACCESS = 'no_access';

/** Returns the order's payment with this reference, else the one that gave access: the buyer paid twice. */
export async function findStoredOrder(
  db: Database,
  { orderId, reference }: { orderId: string; reference: string },
) {
  const rows = await db
    .selectFrom('payments')
    .select(['reservation_id', 'reason', 'reference'])
    .where('status', '=', 'succeeded')
    .where('order_id', '=', orderId)
    .execute();
  const row =
    rows.find((stored) => stored.reference === reference) ?? rows.find(({ reason }) => reason !== NO_ACCESS);
  return (
    row && {
      reservationId: row.reservation_id,
      gaveAccess: row.reason !== NO_ACCESS,
      isOther: row.reference !== reference,
    }
  );
}

export async function countFailures(
  db: Database,
  { orderId, since, max }: { orderId: string; since: number; max: number },
): Promise<number> {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('status', '=', 'failed')
    .where('order_id', '=', orderId)
    .where('created_at', '>=', since)
    .limit(max)
    .execute();
  return rows.length;
}

/** `look_up_at` can be the end of a lease. `reference` is null if the buyer wasn't sent to the provider's page. */
export type StartedCharge = Awaited<ReturnType<typeof listLostCharges>>[number];

/** A start in the future comes from a clock that ran ahead. Those orders would have to wait until that time. */
export function overdueCharges(db: Database, now: number) {
  return checkoutCharges(db)
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('look_up_at', '<=', now), eb('started_at', '>', now + LOOK_UP_AFTER_MS)]));
}

/** How many of a buyer's charges are looked up before a payment. There are more only if every payment fails. */
const CHARGES_PER_BUYER = 10;
const CRASHED_AFTER_MS = 60_000;

/** Lists a buyer's newest charges with lost results. Leaves out the order `except`, and charges still under way. */
export async function listLostCharges(
  db: Database,
  { buyerId, except, now }: { buyerId: string; except: string; now: number },
) {
  return await checkoutCharges(db)
    .where('user_id', '=', buyerId)
    .where('closed_at', 'is', null)
    .where('order_id', '!=', except)
    .where((eb) => eb.or([eb('lost_at', 'is not', null), eb('started_at', '<=', now - CRASHED_AFTER_MS)]))
    .orderBy('started_at', 'desc')
    .limit(CHARGES_PER_BUYER)
    .execute();
}

function checkoutCharges(db: Database) {
  return db
    .selectFrom('charges')
    .selectAll()
    .select('order_id as id')
    .where('subscription_id', 'is', null)
    .$narrowType<{ facts: string }>();
}

export async function findCharge(db: Database, orderId: string) {
  return await checkoutCharges(db).where('order_id', '=', orderId).executeTakeFirst();
}

/** Returns a checkout's newest charge for which the buyer was sent to the provider's page and can still pay there. */
export async function findOpenCharge(db: Database, reservationId: string) {
  return await checkoutCharges(db)
    .where('reservation_id', '=', reservationId)
    .where('reference', 'is not', null)
    .where('closed_at', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Until the provider is asked about the same order again. A waiting buyer's page keeps asking. */
const ASK_PAUSE_MS = 3_000;

/** False if the provider was asked a moment ago: anyone can reload a checkout's page. */
export async function takeTurnToAsk(db: Database, orderId: string, now: number): Promise<boolean> {
  const turn = await db
    .updateTable('charges')
    .set({ asked_at: now })
    .where('order_id', '=', orderId)
    .where((eb) =>
      eb.or([eb('asked_at', 'is', null), eb('asked_at', '<=', now - ASK_PAUSE_MS), eb('asked_at', '>', now)]),
    )
    .returning('order_id')
    .executeTakeFirst();
  return turn !== undefined;
}

/** `undefined` if another process has leased or ended the charge, or the buyer has tried again. */
export async function leaseCharge(
  db: Database,
  charge: StartedCharge,
  { now, until }: { now: number; until: number },
): Promise<StartedCharge | undefined> {
  const lease = { look_up_at: until, started_at: Math.min(charge.started_at, now) };
  const leased = await db
    .updateTable('charges')
    .set(lease)
    .where('order_id', '=', charge.order_id)
    .where('attempts', '=', charge.attempts)
    .where('look_up_at', '=', charge.look_up_at)
    .returning('order_id')
    .executeTakeFirst();
  return leased && { ...charge, ...lease };
}

/** Deletes the charge, or closes it if the buyer was sent to the provider's page. False if it has changed since. */
export async function endLeasedCharge(transaction: Database, charge: StartedCharge, now: number) {
  if (charge.reference !== null) {
    return await closeCharge(transaction, { orderId: charge.order_id, reference: charge.reference }, now);
  }
  const ended = await transaction
    .deleteFrom('charges')
    .where('order_id', '=', charge.order_id)
    .where('attempts', '=', charge.attempts)
    .where('look_up_at', '=', charge.look_up_at)
    .returning('order_id')
    .executeTakeFirst();
  return ended !== undefined;
}
