import type { Database } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { ChargedCheckout } from './charged-checkout.js';
import type { ChargeResult, DeclineReason } from './payment-provider.js';
import { type SettlePaymentResult, settleDeclined, settlePayment } from './settle-payment.js';

/** Charge of a checkout with its result. */
export interface CheckoutCharge {
  readonly checkout: ChargedCheckout;
  /** Payment method that was charged. */
  readonly method: string;
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
