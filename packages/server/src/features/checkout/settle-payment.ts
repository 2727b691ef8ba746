import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { endAttempt, endCharge, findStoredOrder } from '../charges/charges.js';
import { findCommunity } from '../communities/communities.js';
import { readMembership } from '../memberships/membership-periods.js';
import { findMembership, type MembershipRow, saveMembership } from '../memberships/memberships.js';
import { productExists } from '../products/product.queries.js';
import { findUser } from '../users/users.js';
import {
  boughtMembership,
  hasHadFree,
  isOwnedForLife,
  placeOffer,
  startsAtOnce,
} from './bought-membership.js';
import { type ChargedCheckout, type Charging, subjectColumns } from './checkout.js';
import { endAtProvider } from './end-subscriptions.js';
import type { ChargeResult, DeclineReason, PaidPayment } from './payment-provider.js';
import { type ChargedPayment, recordDeclined, recordPaid, recordWithoutAccess } from './payment-record.js';

interface PaidCheckout {
  /** The buyer gets what they paid for, even if the reservation has changed since. */
  readonly checkout: ChargedCheckout;
  readonly charged: (ChargedPayment & Pick<PaidPayment, 'subscription'>) | null;
}

/**
 * Result of {@link settlePayment}.
 *
 * - `already-paid`: another call stored the same order.
 * - `already-owned`: the same order for the product or the plan for life was paid in another checkout, or the buyer
 *   already has the free product or has had the free plan. Nothing was stored.
 * - `no-access`: in the meantime the checkout was paid with another order, the buyer got a membership to which it adds
 *   nothing, or the community was closed or the account deleted. The payment is stored and refunded. `isNew` is false if
 *   another call stored it. `paymentId` is null if the product was deleted and nothing can be stored.
 */
export type SettlePaymentResult =
  | { readonly kind: 'settled' | 'already-paid' | 'already-owned' }
  | { readonly kind: 'no-access'; readonly isNew: boolean; readonly paymentId: string | null };

/** If calls are concurrent, the database lets one succeed; the others find the reservation paid. */
export function settlePayment(
  db: Database,
  { checkout: started, charged }: PaidCheckout,
  now: number,
): Promise<SettlePaymentResult> {
  const { reservationId, offer, payer } = started;
  return inTransaction(db, async (transaction): Promise<SettlePaymentResult> => {
    const checkout = boughtBy(
      started,
      charged === null ? undefined : await endCharge(transaction, started.orderId),
    );
    const { buyer } = checkout;
    const current = await findMembership(transaction, buyer.id, offer.subject);
    // The provider has charged this order once. Any other charge is stored and refunded: one at another price, one
    // during which the seller granted the access, and one for a checkout that was paid with another order.
    const stored = await findSettled(transaction, { checkout, charged }, { current, now });
    if (stored !== undefined) return stored;
    if (!(await isStillOpen(transaction, checkout)))
      return await settleWithoutAccess(transaction, { checkout, charged }, now);

    const membership = current && (await readMembership(transaction, current, now));
    // A buyer can pay hours after the page was shown. What has become dearer since is not interrupted.
    const startsNow = payer.startsNow && (await startsAtOnce(transaction, membership, offer, now));
    const placed = placeOffer(membership, offer, { ...payer, startsNow, now });
    if (placed.kind === 'nothing')
      return charged === null
        ? { kind: 'already-owned' }
        : await settleWithoutAccess(transaction, { checkout, charged }, now);

    const paid = await transaction
      .updateTable('checkout_reservations')
      .set({ ...subjectColumns(offer.subject), user_id: buyer.id, paid_at: now })
      .where('id', '=', reservationId)
      .where('paid_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (paid === undefined) return await settleWithoutAccess(transaction, { checkout, charged }, now);

    // Renews by the terms of the charge. If another subscription renews by now, this one has nothing to renew, and ends
    // at the provider.
    const isSubscribed = offer.renews || charged?.subscription !== undefined;
    const startedId = isSubscribed ? await subscribe(transaction, { checkout, charged }, now) : null;
    const paymentId = randomUUID();
    const { row, timeline } = boughtMembership(membership, offer, {
      ...{ userId: buyer.id, placed, newId: randomUUID(), now },
      paymentId: charged === null ? null : paymentId,
      subscriptionId: placed.startsSubscription ? startedId : null,
    });
    const periods = { before: membership?.timeline ?? [], after: timeline };
    await saveMembership(transaction, row, { isNew: current === undefined, now, periods });
    await transaction
      .updateTable('checkout_reservations')
      .set({ membership_id: row.id })
      .where('id', '=', reservationId)
      .execute();
    const orderId = charged === null ? null : checkout.orderId;
    const attempt = { ...checkout, ...offer, orderId, charged, paymentId };
    await recordPaid(transaction, attempt, { membership: row, now });
    return { kind: 'settled' };
  });
}

function boughtBy({ buyer, ...checkout }: ChargedCheckout, id = buyer.id): ChargedCheckout {
  return { ...checkout, buyer: { ...buyer, id } };
}

/** False if the community was closed, or the buyer's account deleted, while the buyer was paying. */
async function isStillOpen(
  transaction: Database,
  { buyer, offer: { subject } }: ChargedCheckout,
): Promise<boolean> {
  if ((await findUser(transaction, buyer.id)) === undefined) return false;
  return subject.kind !== 'plan' || (await findCommunity(transaction, subject.communityId)) !== undefined;
}

async function findSettled(
  transaction: Database,
  { checkout, charged }: PaidCheckout,
  { current, now }: { current: MembershipRow | undefined; now: number },
): Promise<SettlePaymentResult | undefined> {
  const { offer, buyer, orderId, reservationId } = checkout;
  if (charged === null) {
    const isOwned =
      offer.subject.kind === 'plan'
        ? await hasHadFree(transaction, buyer.id, offer)
        : await isOwnedForLife(transaction, current, now);
    return isOwned ? { kind: 'already-owned' } : undefined;
  }
  const stored = await findStoredOrder(transaction, { orderId, reference: charged.reference });
  if (stored === undefined) return undefined;
  if (stored.isOther) return await settleWithoutAccess(transaction, { checkout, charged }, now);
  if (!stored.gaveAccess) return { kind: 'no-access', isNew: false, paymentId: null };
  return { kind: stored.reservationId === reservationId ? 'already-paid' : 'already-owned' };
}

async function settleWithoutAccess(
  transaction: Database,
  { checkout, charged }: PaidCheckout,
  now: number,
): Promise<SettlePaymentResult> {
  if (charged === null) return { kind: 'already-paid' };
  // The provider may at first not know an order, which allows the product to be deleted, and then report the order as
  // paid.
  const { offer, orderId: order_id } = checkout;
  const isGone =
    offer.subject.kind === 'product' && !(await productExists(transaction, offer.subject.productId));
  // What the provider would charge again has nothing to renew here, so it ends there.
  const { subscription: reference, provider } = charged;
  await endAtProvider(transaction, { reference, provider, order_id }, now);
  const paymentId = isGone
    ? null
    : await recordWithoutAccess(transaction, { ...checkout, ...offer, charged }, now);
  return { kind: 'no-access', isNew: true, paymentId };
}

/** Stores a failed payment with its event, unless another payment has succeeded in the meantime. */
function settleDeclined(
  db: Database,
  { checkout: started, reason }: { checkout: ChargedCheckout; reason: DeclineReason },
  now: number,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const checkout = boughtBy(started, await endAttempt(transaction, started.orderId));
    const unpaid = await transaction
      .selectFrom('checkout_reservations')
      .select('id')
      .where('id', '=', checkout.reservationId)
      .where('paid_at', 'is', null)
      .executeTakeFirst();
    if (unpaid === undefined) return;
    const attempt = { ...checkout, ...checkout.offer, charged: null };
    await recordDeclined(transaction, attempt, { reason, now });
  });
}

async function subscribe(
  transaction: Database,
  { checkout: { reservationId, offer, payer, orderId: order_id, method }, charged }: PaidCheckout,
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
      is_own: payer.isBuyer ? 1 : 0,
      created_at: now,
    })
    .execute();
  if (charged?.subscription !== undefined) {
    const { provider, subscription: reference } = charged;
    await transaction
      .insertInto('provider_subscriptions')
      .values({
        ...{ reference, provider, order_id, subscription_id: id },
        ...{ ended_at: null, try_at: now },
      })
      .execute();
  }
  return id;
}

export type SettleChargeResult =
  | Exclude<SettlePaymentResult, { kind: 'no-access' }>
  | { readonly kind: 'no-access' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason };

export async function settleCharge(
  { db, clock, logger, payments: { name: provider } }: Charging,
  checkout: ChargedCheckout,
  result: ChargeResult,
): Promise<SettleChargeResult> {
  const now = clock.now();
  if (result.kind === 'declined') {
    await settleDeclined(db, { checkout, reason: result.reason }, now);
    return result;
  }
  // A provider written in JavaScript may return null for no subscription.
  const charged = { provider, reference: result.reference, subscription: result.subscription ?? undefined };
  const settled = await settlePayment(db, { checkout, charged }, now);
  if (settled.kind !== 'no-access') return settled;
  if (settled.isNew) {
    logger.error(
      { payment: settled.paymentId, order: checkout.orderId, reservation: checkout.reservationId },
      settled.paymentId === null
        ? 'A charge could not be stored, because the product was deleted meanwhile: refund it'
        : 'A charge gave no access, because its checkout was paid with another order, or it added nothing. It is refunded',
    );
  }
  return { kind: 'no-access' };
}
