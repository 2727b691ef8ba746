import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { endAttempt, endCharge, findStoredOrder } from '../charges/charges.js';
import { findCommunity } from '../communities/communities.js';
import { readMembership } from '../memberships/membership-periods.js';
import { findMembership, type MembershipRow, saveMembership } from '../memberships/memberships.js';
import { productExists } from '../products/product.queries.js';
import { findUser } from '../users/users.js';
import { boughtMembership, hasHadFree, isOwnedForLife, placeOffer } from './bought-membership.js';
import type { ChargedCheckout } from './checkout.js';
import { endAtProvider } from './end-subscriptions.js';
import { subjectColumns } from './offer.js';
import type { ChargeResult, DeclineReason } from './payment-provider.js';
import {
  type ChargedPayment,
  type PaymentAttempt,
  recordDeclined,
  recordPaid,
  recordWithoutAccess,
} from './payment-record.js';

export interface PaidCheckout {
  /**
   * The checkout at the time it was paid. The buyer gets what they paid for, even if the reservation has changed since.
   */
  checkout: ChargedCheckout;
  /** Payment method, which renewals charge again; null if the provider's page offered the methods. */
  method: string | null;
  /** The order that the payment provider charged; null for a free order. */
  order: PaidOrder | null;
}

export interface PaidOrder extends ChargedPayment {
  readonly orderId: string;
  /** The provider's id of what later payments are made with: a subscription or a saved payment method. */
  readonly subscription?: string | undefined;
}

/**
 * Result of {@link settlePayment}.
 *
 * - `already-paid`: another call stored the same order.
 * - `already-owned`: the same order for the product or the plan for life was paid in another checkout, or the buyer
 *   already has the free product or has had the free plan. Nothing was stored.
 * - `no-access`: in the meantime the checkout was paid with another order, the buyer got a membership to which it adds
 *   nothing, or the community was closed or the account deleted. The payment is stored and refunded. `isNew` is false if another call stored
 *   it. `paymentId` is null if the product was deleted and nothing can be stored.
 */
export type SettlePaymentResult =
  | { readonly kind: 'settled' | 'already-paid' | 'already-owned' }
  | { readonly kind: 'no-access'; readonly isNew: boolean; readonly paymentId: string | null };

/**
 * Turns a reservation into a membership. The membership, the payment and their events are stored in one transaction. If
 * calls are concurrent, the database lets one succeed; the others find the reservation paid.
 */
export function settlePayment(
  db: Database,
  { checkout, method, order }: PaidCheckout,
  now: number,
): Promise<SettlePaymentResult> {
  const { reservationId, offer, buyer, payer } = checkout;
  return inTransaction(db, async (transaction): Promise<SettlePaymentResult> => {
    if (order !== null) await endCharge(transaction, order.orderId);
    const current = await findMembership(transaction, buyer.id, offer.subject);
    // The provider has charged this order once. Any other charge is stored and refunded: one at another price, one
    // during which the seller granted the access, and one for a checkout that was paid with another order.
    const stored = await findSettled(transaction, { checkout, order }, { current, now });
    if (stored !== undefined) return stored;
    if (!(await isStillOpen(transaction, checkout)))
      return await settleWithoutAccess(transaction, { checkout, order }, now);

    const membership = current && (await readMembership(transaction, current, now));
    const placed = placeOffer(membership, offer, { ...payer, now });
    if (placed.kind === 'nothing')
      return order === null
        ? { kind: 'already-owned' }
        : await settleWithoutAccess(transaction, { checkout, order }, now);

    const paid = await transaction
      .updateTable('checkout_reservations')
      .set({ ...subjectColumns(offer.subject), user_id: buyer.id, paid_at: now })
      .where('id', '=', reservationId)
      .where('paid_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (paid === undefined) return await settleWithoutAccess(transaction, { checkout, order }, now);

    // Renews by the terms of the charge. If another subscription renews by now, this one has nothing to renew, and ends
    // at the provider.
    const isSubscribed = offer.renews || (order?.subscription ?? null) !== null;
    const startedId = isSubscribed ? await subscribe(transaction, { checkout, method, order }, now) : null;
    const paymentId = randomUUID();
    const { row, timeline } = boughtMembership(membership, offer, {
      ...{ userId: buyer.id, placed, newId: randomUUID(), now },
      paymentId: order === null ? null : paymentId,
      subscriptionId: placed.startsSubscription ? startedId : null,
    });
    const periods = { before: membership?.timeline ?? [], after: timeline };
    await saveMembership(transaction, row, { isNew: current === undefined, now, periods });
    await transaction
      .updateTable('checkout_reservations')
      .set({ membership_id: row.id })
      .where('id', '=', reservationId)
      .execute();
    const attempt = { ...paymentAttempt({ checkout, order }), paymentId };
    await recordPaid(transaction, attempt, { membership: row, now });
    return { kind: 'settled' };
  });
}

/** False if the community was closed, or the buyer's account deleted, while the buyer was paying. */
async function isStillOpen(
  transaction: Database,
  { buyer, offer: { subject } }: ChargedCheckout,
): Promise<boolean> {
  if ((await findUser(transaction, buyer.id)) === undefined) return false;
  return subject.kind !== 'plan' || (await findCommunity(transaction, subject.communityId)) !== undefined;
}

type Order = Pick<PaidCheckout, 'checkout' | 'order'>;

/** Returns the result of a call that has already stored the same order; `undefined` if the order isn't stored. */
async function findSettled(
  transaction: Database,
  { checkout, order }: Order,
  { current, now }: { current: MembershipRow | undefined; now: number },
): Promise<SettlePaymentResult | undefined> {
  const { offer, buyer, reservationId } = checkout;
  if (order === null) {
    const isOwned =
      offer.subject.kind === 'plan'
        ? await hasHadFree(transaction, buyer.id, offer)
        : await isOwnedForLife(transaction, current, now);
    return isOwned ? { kind: 'already-owned' } : undefined;
  }
  const stored = await findStoredOrder(transaction, order);
  if (stored === undefined) return undefined;
  if (stored.isOther) return await settleWithoutAccess(transaction, { checkout, order }, now);
  if (!stored.gaveAccess) return { kind: 'no-access', isNew: false, paymentId: null };
  return { kind: stored.reservationId === reservationId ? 'already-paid' : 'already-owned' };
}

/** Stores the payment of a checkout that gives no access. A free order needs no refund. */
async function settleWithoutAccess(
  transaction: Database,
  { checkout, order }: Order,
  now: number,
): Promise<SettlePaymentResult> {
  if (order === null) return { kind: 'already-paid' };
  // The provider may at first not know an order, which allows the product to be deleted, and then report the order as
  // paid.
  const { offer } = checkout;
  const isGone =
    offer.subject.kind === 'product' && !(await productExists(transaction, offer.subject.productId));
  // What the provider would charge again has nothing to renew here, so it ends there.
  const { subscription: reference, provider, orderId: order_id } = order;
  if (reference !== undefined) await endAtProvider(transaction, { reference, provider, order_id }, now);
  const paymentId = isGone
    ? null
    : await recordWithoutAccess(transaction, paymentAttempt({ checkout, order }), now);
  return { kind: 'no-access', isNew: true, paymentId };
}

/** Stores a failed payment with its event, unless another payment has succeeded in the meantime. */
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
    const attempt = { ...paymentAttempt({ checkout, order: null }), orderId };
    await recordDeclined(transaction, attempt, { reason, now });
  });
}

async function subscribe(
  transaction: Database,
  { checkout: { reservationId, offer }, method, order }: PaidCheckout,
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
  if (order?.subscription !== undefined) {
    const { provider, orderId, subscription: reference } = order;
    await transaction
      .insertInto('provider_subscriptions')
      .values({
        ...{ reference, provider, order_id: orderId, subscription_id: id },
        ...{ ended_at: null, try_at: now },
      })
      .execute();
  }
  return id;
}

function paymentAttempt({ checkout: { offer, ...checkout }, order }: Order): PaymentAttempt {
  return { ...checkout, ...offer, orderId: order?.orderId ?? null, charged: order };
}

export interface CheckoutCharge extends Omit<PaidCheckout, 'order'> {
  readonly orderId: string;
  readonly provider: string;
  readonly result: ChargeResult;
}

export type SettleChargeResult =
  | Exclude<SettlePaymentResult, { kind: 'no-access' }>
  | { readonly kind: 'no-access' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason };

/** Stores the result of a charge. A payment that gave no access is logged. */
export async function settleCharge(
  db: Database,
  { checkout, method, orderId, provider, result }: CheckoutCharge,
  { logger, now }: { logger: Logger; now: number },
): Promise<SettleChargeResult> {
  if (result.kind === 'declined') {
    await settleDeclined(db, { checkout, orderId, reason: result.reason }, now);
    return result;
  }
  const { reference, subscription } = result;
  const order = { orderId, provider, reference, subscription };
  const settled = await settlePayment(db, { checkout, method, order }, now);
  if (settled.kind !== 'no-access') return settled;
  if (settled.isNew) {
    logger.error(
      { payment: settled.paymentId, order: orderId, reservation: checkout.reservationId },
      settled.paymentId === null
        ? 'A charge could not be stored, because the product was deleted meanwhile: refund it'
        : 'A charge gave no access, because its checkout was paid with another order, or it added nothing. It is refunded',
    );
  }
  return { kind: 'no-access' };
}
