import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { productExists } from '../catalogue/products.js';
import { endAttempt, endCharge, findStoredOrder } from '../charges/charges.js';
import { findMembership, type MembershipRow, saveMembership } from '../memberships/memberships.js';
import { boughtElsewhere, isOwnedForLife } from './bought-before.js';
import { boughtMembership, startsSubscription } from './bought-membership.js';
import type { ChargedCheckout } from './checkout.js';
import { subjectColumns } from './offer.js';
import type { ChargeResult, DeclineReason } from './payment-provider.js';
import { type PaymentAttempt, recordDeclined, recordPaid, recordWithoutAccess } from './payment-record.js';

/** Checkout whose payment succeeded. */
export interface PaidCheckout {
  /** State of the checkout when it was paid. The buyer gets what they paid for, even if the reservation changed since. */
  checkout: ChargedCheckout;
  /** Payment method. Renewals charge it again. */
  method: string;
  /** Order that the payment provider charged; null for a free order. */
  orderId: string | null;
}

/**
 * Result of {@link settlePayment}.
 *
 * - `already-paid`: another call stored the same order.
 * - `already-owned`: the same order of the product or of the plan for life was paid in another checkout, or the buyer has the
 *   free product. Nothing was stored.
 * - `no-access`: the checkout was paid with another order meanwhile. The payment is stored, so that it can be refunded. `isNew` is
 *   false if another call stored it. `paymentId` is null if the product was deleted, so that nothing can be stored.
 */
export type SettlePaymentResult =
  | { readonly kind: 'settled' | 'already-paid' | 'already-owned' }
  | { readonly kind: 'no-access'; readonly isNew: boolean; readonly paymentId: string | null };

/**
 * Turns a reservation into a membership. One transaction stores the membership, the payment and their events. Of
 * concurrent calls, the database lets one succeed; the others find the reservation paid.
 */
export function settlePayment(
  db: Database,
  { checkout, method, orderId }: PaidCheckout,
  now: number,
): Promise<SettlePaymentResult> {
  const { reservationId, offer, buyer } = checkout;
  return inTransaction(db, async (transaction): Promise<SettlePaymentResult> => {
    if (orderId !== null) await endCharge(transaction, orderId);
    const current = await findMembership(transaction, buyer.id, offer.subject);
    // The provider has charged this order once. Every other charge is stored, so that it can be refunded: one at another
    // price, one during which the seller granted the access, and one whose checkout was paid with another order.
    const stored = await findSettled(transaction, { checkout, orderId }, { current, now });
    if (stored !== undefined) return stored;

    const paid = await transaction
      .updateTable('checkout_reservations')
      .set({ ...subjectColumns(offer.subject), user_id: buyer.id, paid_at: now })
      .where('id', '=', reservationId)
      .where('paid_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (paid === undefined) return await settleWithoutAccess(transaction, { checkout, orderId }, now);

    const subscriptionId = startsSubscription(current, offer)
      ? await subscribe(transaction, { checkout, method }, now)
      : null;
    const purchase = {
      userId: buyer.id,
      subject: offer.subject,
      periodDays: offer.periodDays,
      subscriptionId,
    };
    const membership = boughtMembership(current, purchase, { newId: randomUUID(), now });
    await saveMembership(transaction, membership, { isNew: current === undefined, now });
    await transaction
      .updateTable('checkout_reservations')
      .set({ membership_id: membership.id })
      .where('id', '=', reservationId)
      .execute();
    await recordPaid(transaction, paymentAttempt({ checkout, orderId }), { membership, now });
    return { kind: 'settled' };
  });
}

type Order = Pick<PaidCheckout, 'checkout' | 'orderId'>;

/** Returns the result of a call that stored the same order; `undefined` if the order is not stored. */
async function findSettled(
  transaction: Database,
  { checkout, orderId }: Order,
  { current, now }: { current: MembershipRow | undefined; now: number },
): Promise<SettlePaymentResult | undefined> {
  const { offer, buyer, reservationId } = checkout;
  if (orderId === null) {
    const isOwned =
      offer.subject.kind === 'plan'
        ? (await boughtElsewhere(transaction, checkout)) === 'same-order'
        : await isOwnedForLife(transaction, current, now);
    return isOwned ? { kind: 'already-owned' } : undefined;
  }
  const { community_id: communityId } = subjectColumns(offer.subject);
  const stored = await findStoredOrder(transaction, { orderId, userId: buyer.id, communityId });
  if (stored === undefined) return undefined;
  if (!stored.gaveAccess) return { kind: 'no-access', isNew: false, paymentId: null };
  return { kind: stored.reservationId === reservationId ? 'already-paid' : 'already-owned' };
}

/** Stores the payment of a checkout that was paid with another order meanwhile. A free order needs no refund. */
async function settleWithoutAccess(
  transaction: Database,
  { checkout, orderId }: Order,
  now: number,
): Promise<SettlePaymentResult> {
  if (orderId === null) return { kind: 'already-paid' };
  // The provider may first not know an order, so the product can be deleted, and then report it as paid.
  const { offer } = checkout;
  const isGone =
    offer.subject.kind === 'product' && !(await productExists(transaction, offer.subject.productId));
  const paymentId = isGone
    ? null
    : await recordWithoutAccess(transaction, paymentAttempt({ checkout, orderId }), now);
  return { kind: 'no-access', isNew: true, paymentId };
}

/** Stores a failed payment with its event, unless another payment has succeeded meanwhile. */
function settleDeclined(
  db: Database,
  { checkout, orderId, reason }: { checkout: ChargedCheckout; orderId: string; reason: DeclineReason },
  now: number,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await endAttempt(transaction, orderId);
    const unpaid = await transaction
      .selectFrom('checkout_reservations')
      .select('id')
      .where('id', '=', checkout.reservationId)
      .where('paid_at', 'is', null)
      .executeTakeFirst();
    if (unpaid === undefined) return;
    await recordDeclined(transaction, paymentAttempt({ checkout, orderId }), { reason, now });
  });
}

/** Stores the price that the buyer agreed to pay for every period. Returns null for lifetime access. */
async function subscribe(
  transaction: Database,
  { checkout: { reservationId, offer }, method }: Pick<PaidCheckout, 'checkout' | 'method'>,
  now: number,
): Promise<string | null> {
  if (offer.periodDays === null) return null;
  const id = randomUUID();
  await transaction
    .insertInto('subscriptions')
    .values({
      id,
      reservation_id: reservationId,
      payment_method: method,
      amount_minor: offer.amountMinor,
      currency: offer.currency,
      period_days: offer.periodDays,
      created_at: now,
    })
    .execute();
  return id;
}

function paymentAttempt({ checkout: { offer, ...checkout }, orderId }: Order): PaymentAttempt {
  return { ...checkout, ...offer, orderId };
}

/** Charge of a checkout with its result. */
export interface CheckoutCharge extends PaidCheckout {
  readonly orderId: string;
  readonly result: ChargeResult;
}

/** Result of {@link settleCharge}. */
export type SettleChargeResult =
  | Exclude<SettlePaymentResult, { kind: 'no-access' }>
  | { readonly kind: 'no-access' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason };

/** Stores the result of a charge. A payment that gave no access is logged, so that it can be refunded. */
export async function settleCharge(
  db: Database,
  { checkout, method, orderId, result }: CheckoutCharge,
  { logger, now }: { logger: Logger; now: number },
): Promise<SettleChargeResult> {
  if (result.kind === 'declined') {
    await settleDeclined(db, { checkout, orderId, reason: result.reason }, now);
    return result;
  }
  const settled = await settlePayment(db, { checkout, method, orderId }, now);
  if (settled.kind !== 'no-access') return settled;
  if (settled.isNew) {
    logger.error(
      { payment: settled.paymentId, order: orderId, reservation: checkout.reservationId },
      settled.paymentId === null
        ? 'A charge could not be stored, because the product was deleted meanwhile: refund it'
        : 'A charge gave no access, because its checkout was paid with another order: refund it',
    );
  }
  return { kind: 'no-access' };
}
