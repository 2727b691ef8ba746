import type { Database } from '../../platform/database/open-database.js';
import type { OpenCheckout } from './checkout.js';
import { termsOf } from './offer.js';
import type { ChargeResult, DeclineReason, PaymentProvider } from './payment-provider.js';
import { type SettlePaymentResult, settleDeclined, settlePayment } from './settle-payment.js';

/** Result of {@link payCheckout}. */
export type PayCheckoutResult =
  | SettlePaymentResult
  | { readonly kind: 'declined'; readonly reason: DeclineReason };

/** Charges an open checkout and stores the result. A free order is not charged. */
export async function payCheckout(
  db: Database,
  { checkout, method, payments }: { checkout: OpenCheckout; method: string; payments: PaymentProvider },
  now: () => number,
): Promise<PayCheckoutResult> {
  const result = checkout.offer.amountMinor === 0 ? FREE : await charge(payments, checkout, method);
  if (result.kind === 'paid') return await settlePayment(db, { checkout, method }, now());
  await settleDeclined(db, { checkout, reason: result.reason }, now());
  return result;
}

const FREE: ChargeResult = { kind: 'paid' };

/** Charges with an order id made of the reservation and its terms, so that concurrent payments are one order. */
function charge(
  payments: PaymentProvider,
  { reservationId, offer, buyer }: OpenCheckout,
  method: string,
): Promise<ChargeResult> {
  const { amountMinor, currency } = offer;
  const orderId = `${reservationId}:${termsOf(offer, buyer.id)}`;
  return payments.charge({ orderId, amountMinor, currency, method, isRenewal: false });
}
