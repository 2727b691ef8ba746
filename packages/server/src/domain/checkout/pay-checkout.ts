import type { Database } from '../../platform/database/open-database.js';
import { findMembership } from '../memberships/memberships.js';
import type { OpenCheckout } from './checkout.js';
import { termsOf } from './offer.js';
import { isOwnedForLife } from './owned-product.js';
import type { ChargeResult, DeclineReason, PaymentProvider } from './payment-provider.js';
import { boughtElsewhere, lifetimePlanOf } from './plan-for-life.js';
import { type SettlePaymentResult, settleDeclined, settlePayment } from './settle-payment.js';

/** Result of {@link payCheckout}. */
export type PayCheckoutResult =
  | SettlePaymentResult
  | { readonly kind: 'declined'; readonly reason: DeclineReason };

/**
 * Charges an open checkout and stores the result. Nothing is charged for a free order, for a product that the buyer has for
 * life, and for a plan for life that the buyer paid for in another checkout.
 */
export async function payCheckout(
  db: Database,
  { checkout, method, payments }: { checkout: OpenCheckout; method: string; payments: PaymentProvider },
  now: () => number,
): Promise<PayCheckoutResult> {
  if (await isBought(db, checkout, now())) return { kind: 'already-owned' };
  const result = checkout.offer.amountMinor === 0 ? FREE : await charge(payments, checkout, method);
  if (result.kind === 'paid') return await settlePayment(db, { checkout, method }, now());
  await settleDeclined(db, { checkout, reason: result.reason }, now());
  return result;
}

async function isBought(db: Database, checkout: OpenCheckout, now: number): Promise<boolean> {
  const { offer, buyer } = checkout;
  if (offer.subject.kind === 'plan') return (await boughtElsewhere(db, checkout)) !== 'none';
  return await isOwnedForLife(db, await findMembership(db, buyer.id, offer.subject), now);
}

const FREE: ChargeResult = { kind: 'paid' };

/** Charges with an order id that concurrent payments of the same purchase have in common. */
function charge(payments: PaymentProvider, checkout: OpenCheckout, method: string): Promise<ChargeResult> {
  const { amountMinor, currency } = checkout.offer;
  return payments.charge({ orderId: orderIdOf(checkout), amountMinor, currency, method, isRenewal: false });
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
