import { hasMigration } from '../../platform/database/has-migration.js';
import type { Database } from '../../platform/database/open-database.js';

/** Migration that adds the order ids of payments. The table of started charges exists since the migration before it. */
const CHARGES_MIGRATION = '0022-payment-orders';

/** True if the database stores started charges and the order ids of payments. */
export async function hasCharges(db: Database): Promise<boolean> {
  return await hasMigration(db, CHARGES_MIGRATION);
}

/** Charge that is about to start. */
export interface StartingCharge {
  readonly orderId: string;
  /** Checkout that is paid, or that started the subscription. */
  readonly reservationId: string;
  /** Subscription that is renewed, and the end of its current period; null for the payment of a checkout. */
  readonly renewal: { readonly subscriptionId: string; readonly periodEnd: number } | null;
}

/**
 * Stores that an order is charged from now on, until {@link endCharge}. Its result can then be stored after a crash, and what it
 * refers to is not deleted meanwhile. Processes that charge the same order share the row.
 */
export async function startCharge(
  transaction: Database,
  { orderId, reservationId, renewal }: StartingCharge,
  now: number,
): Promise<void> {
  if (!(await hasCharges(transaction))) return;
  await transaction
    .insertInto('charges')
    .values({
      order_id: orderId,
      reservation_id: reservationId,
      subscription_id: renewal?.subscriptionId ?? null,
      period_end: renewal?.periodEnd ?? null,
      started_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a started charge, in the transaction that stores its result. */
export async function endCharge(transaction: Database, orderId: string): Promise<void> {
  if (!(await hasCharges(transaction))) return;
  await transaction.deleteFrom('charges').where('order_id', '=', orderId).execute();
}

/** True if a charge for the product was started and has no stored result. */
export async function isProductCharged(db: Database, productId: string): Promise<boolean> {
  if (!(await hasCharges(db))) return false;
  const charge = await db
    .selectFrom('charges')
    .innerJoin('checkout_reservations', 'checkout_reservations.id', 'charges.reservation_id')
    .select('charges.order_id')
    .where('checkout_reservations.product_id', '=', productId)
    .limit(1)
    .executeTakeFirst();
  return charge !== undefined;
}

/** Reason of a successful payment that gave no access. */
export const NO_ACCESS = 'no_access';

/** Stored payment of an order. */
export interface StoredOrder {
  readonly reservationId: string | null;
  readonly gaveAccess: boolean;
}

/** Returns the successful payment of an order; `undefined` if there is none, or an earlier version stored it. */
export async function findStoredOrder(
  db: Database,
  { orderId, userId, communityId }: { orderId: string; userId: string; communityId: string | null },
): Promise<StoredOrder | undefined> {
  if (!(await hasCharges(db))) return undefined;
  const row = await db
    .selectFrom('payments')
    .select(['reservation_id', 'reason'])
    // The index starts with the user and the community.
    .where('user_id', '=', userId)
    .where('community_id', communityId === null ? 'is' : '=', communityId)
    .where('status', '=', 'succeeded')
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row && { reservationId: row.reservation_id, gaveAccess: row.reason !== NO_ACCESS };
}
