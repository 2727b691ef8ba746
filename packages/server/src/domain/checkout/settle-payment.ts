import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { findMembership, type MembershipRow, saveMembership } from '../memberships/memberships.js';
import { boughtMembership, startsSubscription } from './bought-membership.js';
import type { OpenCheckout } from './checkout.js';
import { subjectColumns } from './offer.js';
import { isOrderStored, isOwnedForLife } from './owned-product.js';
import type { DeclineReason } from './payment-provider.js';
import { type PaymentAttempt, recordDeclined, recordPaid } from './payment-record.js';
import { boughtElsewhere } from './plan-for-life.js';

/** Checkout whose payment succeeded. */
export interface PaidCheckout {
  /** State of the checkout when it was paid. The buyer gets what they paid for, even if the reservation changed since. */
  checkout: OpenCheckout;
  /** Payment method. Renewals charge it again. */
  method: string;
}

/** Checkout whose payment failed. */
export interface DeclinedCheckout {
  checkout: OpenCheckout;
  reason: DeclineReason;
}

/**
 * Result of {@link settlePayment}. `already-owned`: the same order of the product or of the plan for life was paid in another
 * checkout, or the buyer has the free product; nothing was stored.
 */
export interface SettlePaymentResult {
  kind: 'settled' | 'already-paid' | 'already-owned';
}

/**
 * Turns a reservation into a membership. One transaction stores the membership, the payment and their events. Of
 * concurrent calls, the database lets one succeed; the others find the reservation paid.
 */
export function settlePayment(
  db: Database,
  { checkout, method }: PaidCheckout,
  now: number,
): Promise<SettlePaymentResult> {
  const { reservationId, offer, buyer } = checkout;
  return inTransaction(db, async (transaction): Promise<SettlePaymentResult> => {
    const current = await findMembership(transaction, buyer.id, offer.subject);
    // The provider has charged this order for the other checkout. Every other charge is stored, so that it can be refunded:
    // one at another price, and one during which the seller granted the access.
    if (await isSettled(transaction, checkout, { current, now })) return { kind: 'already-owned' };

    const paid = await transaction
      .updateTable('checkout_reservations')
      .set({ ...subjectColumns(offer.subject), user_id: buyer.id, paid_at: now })
      .where('id', '=', reservationId)
      .where('paid_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (paid === undefined) return { kind: 'already-paid' };

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
    await recordPaid(transaction, paymentAttempt(checkout), { membership, now });
    return { kind: 'settled' };
  });
}

/** True if the order of this checkout is stored already, or if it is a free product that the buyer has. */
async function isSettled(
  transaction: Database,
  checkout: OpenCheckout,
  { current, now }: { current: MembershipRow | undefined; now: number },
): Promise<boolean> {
  const { offer, buyer, purchases } = checkout;
  if (offer.subject.kind === 'plan') return (await boughtElsewhere(transaction, checkout)) === 'same-order';
  if (offer.amountMinor === 0) return await isOwnedForLife(transaction, current, now);
  const { productId } = offer.subject;
  return await isOrderStored(transaction, { userId: buyer.id, productId, purchases, price: offer });
}

/** Stores a failed payment with its event, unless another payment has succeeded meanwhile. */
export function settleDeclined(
  db: Database,
  { checkout, reason }: DeclinedCheckout,
  now: number,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const unpaid = await transaction
      .selectFrom('checkout_reservations')
      .select('id')
      .where('id', '=', checkout.reservationId)
      .where('paid_at', 'is', null)
      .executeTakeFirst();
    if (unpaid !== undefined) await recordDeclined(transaction, paymentAttempt(checkout), { reason, now });
  });
}

/** Stores the price that the buyer agreed to pay for every period. Returns null for lifetime access. */
async function subscribe(
  transaction: Database,
  { checkout: { reservationId, offer }, method }: PaidCheckout,
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

function paymentAttempt({ offer, ...checkout }: OpenCheckout): PaymentAttempt {
  return { ...checkout, ...offer };
}
