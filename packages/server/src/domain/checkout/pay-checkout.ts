import { withinLimit } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { listLostCharges, loseAttempt, type StartedCharge, startCharge } from '../charges/charges.js';
import { findMembership } from '../memberships/memberships.js';
import { boughtElsewhere, isOwnedForLife, lifetimePlanOf } from './bought-before.js';
import {
  type ChargedCheckout,
  canFindCharges,
  chargedCheckout,
  chargeOrder,
  findOrder,
  formatFacts,
  type OpenCheckout,
  orderOf,
} from './checkout.js';
import { subjectColumns, termsOf } from './offer.js';
import type { FoundCharge, PaymentProvider } from './payment-provider.js';
import { type SettleChargeResult, settleCharge, settlePayment } from './settle-payment.js';

/** Time limit of a look-up while the buyer waits, in milliseconds. */
const BUYER_WAIT_MS = 5_000;

/**
 * Stores the payments of a buyer's other orders for the same community or product that the provider has charged, and that have no
 * stored result. A buyer who saw an error and started again would otherwise pay twice.
 *
 * @returns true if one of them gave access. Without access, the new order is another purchase.
 */
async function settleEarlierOrders(
  db: Database,
  { checkout: { buyer, offer }, orderId }: { checkout: ChargedCheckout; orderId: string },
  { payments, logger, now }: { payments: PaymentProvider; logger: Logger; now: () => number },
): Promise<boolean> {
  if (!canFindCharges(payments)) return false;
  const provider = payments;
  const charges = await listLostCharges(db, { buyerId: buyer.id, except: orderId, now: now() });
  // At once, so that the buyer waits for one time limit only.
  const settled = await Promise.all(
    charges.map(async (started) => {
      const checkout = await chargedCheckout(db, started);
      if (targetOf(checkout) !== targetOf({ offer })) return false;
      const result = await find(started, checkout);
      // Another result may not be final: another tab can be charging.
      if (result?.kind !== 'paid') return false;
      const { id, method } = started;
      const charge = { checkout, method, orderId: id, result };
      return (await settleCharge(db, charge, { logger, now: now() })).kind !== 'no-access';
    }),
  );
  return settled.includes(true);

  async function find(charge: StartedCharge, checkout: ChargedCheckout): Promise<FoundCharge | undefined> {
    try {
      const finding = findOrder(provider, orderOf(charge, checkout));
      return await withinLimit(finding, { name: 'The look-up of an order', limitMs: BUYER_WAIT_MS });
    } catch (error) {
      logger.error({ order: charge.id, error }, 'An earlier order of a buyer could not be looked up');
      return undefined;
    }
  }
}

/** Returns the id of the community or the product. */
function targetOf({ offer: { subject } }: Pick<ChargedCheckout, 'offer'>): string {
  return subject.kind === 'plan' ? subject.communityId : subject.productId;
}

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
