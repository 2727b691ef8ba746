import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { loseAttempt, startCharge } from '../charges/charges.js';
import { findMembership } from '../memberships/memberships.js';
import { chargeOrder } from './charge-order.js';
import { formatFacts } from './charged-checkout.js';
import type { OpenCheckout } from './checkout.js';
import { subjectColumns, termsOf } from './offer.js';
import { isOwnedForLife } from './owned-product.js';
import type { PaymentProvider } from './payment-provider.js';
import { boughtElsewhere, lifetimePlanOf } from './plan-for-life.js';
import { type SettleChargeResult, settleCharge } from './settle-charge.js';
import { settleEarlierOrders } from './settle-earlier-orders.js';
import { settlePayment } from './settle-payment.js';

/**
 * Result of {@link payCheckout}. `changed`: the checkout was opened again with other terms, or was deleted, before the charge.
 * Nothing was charged. `paid-before`: the buyer paid for the same community or product in another checkout, and the result was lost until
 * now. It is stored, and nothing was charged again.
 */
export type PayCheckoutResult = SettleChargeResult | { readonly kind: 'changed' | 'paid-before' };

/** Payment of a checkout. */
export interface CheckoutPayment {
  readonly checkout: OpenCheckout;
  readonly method: string;
  readonly payments: PaymentProvider;
  readonly logger: Logger;
}

/**
 * Charges an open checkout and stores the result. Nothing is charged for a free order, for a product that the buyer has for
 * life, and for a plan for life that the buyer paid for in another checkout. Nor is anything charged if an earlier order of the
 * buyer was paid and its result was lost.
 */
export async function payCheckout(
  db: Database,
  { checkout, method, payments, logger }: CheckoutPayment,
  now: () => number,
): Promise<PayCheckoutResult> {
  if (await isBought(db, checkout, now())) return { kind: 'already-owned' };
  const { amountMinor, currency } = checkout.offer;
  if (amountMinor === 0) {
    const { kind } = await settlePayment(db, { checkout, method, orderId: null }, now());
    return { kind };
  }
  const orderId = orderIdOf(checkout);
  const order = { checkout, orderId };
  if (await settleEarlierOrders(db, order, { payments, logger, now })) return { kind: 'paid-before' };
  const started = await startPayment(db, { checkout, method, orderId }, now());
  if (started !== 'started') return { kind: started };
  const charging = chargeOrder(payments, { orderId, amountMinor, currency, method, isRenewal: false });
  const result = await charging.catch(async (error) => {
    await loseAttempt(db, orderId, now());
    throw error;
  });
  return await settleCharge(db, { checkout, method, orderId, result }, { logger, now: now() });
}

/** Stores that the order is charged now, unless the checkout is paid or has other terms meanwhile. */
function startPayment(
  db: Database,
  { checkout, method, orderId }: { checkout: OpenCheckout; method: string; orderId: string },
  now: number,
): Promise<'started' | 'already-paid' | 'changed'> {
  const { reservationId, offer, buyer } = checkout;
  const subject = subjectColumns(offer.subject);
  return inTransaction(db, async (transaction) => {
    const current = await transaction
      .selectFrom('checkout_reservations')
      .select(['user_id', 'pricing_plan_id', 'product_id', 'paid_at'])
      .where('id', '=', reservationId)
      .executeTakeFirst();
    const isSame =
      current?.user_id === buyer.id &&
      current.pricing_plan_id === subject.pricing_plan_id &&
      current.product_id === subject.product_id;
    if (!isSame) return 'changed';
    if (current.paid_at !== null) return 'already-paid';
    const payment = { method, facts: formatFacts(checkout) };
    await startCharge(
      transaction,
      { orderId, reservationId, buyerId: buyer.id, payment, renewal: null },
      now,
    );
    return 'started';
  });
}

async function isBought(db: Database, checkout: OpenCheckout, now: number): Promise<boolean> {
  const { offer, buyer } = checkout;
  if (offer.subject.kind === 'plan') return (await boughtElsewhere(db, checkout)) !== 'none';
  return await isOwnedForLife(db, await findMembership(db, buyer.id, offer.subject), now);
}

/**
 * Returns an order id that is made of the terms, and of the reservation of a plan. A product and a plan for life are bought
 * once, so payments in two of their checkouts are one order too. The next purchase of a product, after its access has ended,
 * is another one, and so is a plan for life whose checkout was opened after the payment.
 */
function orderIdOf({ reservationId, offer, buyer, purchases }: OpenCheckout): string {
  const terms = termsOf(offer, buyer.id);
  const isBoughtOnce = offer.subject.kind === 'product' || lifetimePlanOf(offer) !== undefined;
  return isBoughtOnce ? `purchase-${purchases + 1}:${terms}` : `${reservationId}:${terms}`;
}
