import type { Database } from '../../platform/database/open-database.js';
import { hasRows } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { t } from '../../platform/language/language.js';
import { findCharge, listLostCharges, loseAttempt, markRedirected, startCharge } from '../charges/charges.js';
import { quotableName } from '../mail/mail-frame.js';
import { findMembership } from '../memberships/memberships.js';
import { isOwnedForLife } from './bought-membership.js';
import { type CheckoutPlacement, placeCheckout } from './buyer-access.js';
import {
  type ChargedCheckout,
  type Charging,
  chargedCheckout,
  findCharged,
  formatFacts,
  type Offer,
  type OpenCheckout,
  shopOf,
  startOrder,
  subjectColumns,
  termsOf,
} from './checkout.js';
import { storePaid } from './look-up-charges.js';
import type { PaymentProvider, StartResult } from './payment-provider.js';
import { type SettleChargeResult, settleCharge, settlePayment } from './settle-payment.js';

/** A buyer who saw an error and started again would pay twice. True if one of the earlier orders gave access. */
async function settleEarlierOrders(
  services: Charging,
  { buyer, offer, orderId }: ChargedCheckout,
): Promise<boolean> {
  const { db, clock, logger, payments } = services;
  const charges = await listLostCharges(db, { buyerId: buyer.id, except: orderId, now: clock.now() });
  // In parallel: the buyer waits for one time limit only.
  const settled = await Promise.all(
    charges.map(async (started) => {
      const checkout = await chargedCheckout(db, started);
      if (shopOf(checkout.offer.subject) !== shopOf(offer.subject)) return false;
      const paid = await findCharged(payments, checkout).catch((error: unknown) => {
        logger.error(
          { order: started.order_id, error },
          'An earlier order of a buyer could not be looked up',
        );
      });
      // Any other result may not be final: another tab could be charging.
      if (paid?.kind !== 'paid') return false;
      const { kind } = await storePaid(services, checkout, paid);
      return kind !== 'no-access' && kind !== 'other-price';
    }),
  );
  return settled.includes(true);
}

/**
 * Result of {@link payCheckout}. With the first three kinds, nothing is charged now:
 *
 * - `changed`: before the charge, the checkout was opened again with other terms, or was deleted.
 * - `paid-before`: the buyer had paid for the same community or product in another checkout, and the result had been
 *   lost. It's stored now.
 * - `adds-nothing`: the purchase would add nothing for the buyer.
 * - `redirect`: the buyer pays on a page of the provider.
 */
export type PayCheckoutResult =
  | SettleChargeResult
  | { readonly kind: 'changed' | 'paid-before' | 'adds-nothing' }
  | Extract<StartResult, { kind: 'redirect' }>;

export interface CheckoutPayment {
  readonly checkout: OpenCheckout;
  /** Where the payment goes, as the page showed it to the buyer. @default where a payment by anyone else would go */
  readonly placement?: CheckoutPlacement;
  readonly url: string;
  /** Where the provider's page sends a buyer who gives up. @default the checkout's page */
  readonly cancelUrl?: string;
  readonly method: string | null;
}

/** Charges nothing for a free order, for what the buyer has already, or if an earlier order was paid after all. */
export async function payCheckout(
  services: Charging,
  { checkout: open, placement, url, cancelUrl = `${url}?cancelled`, method }: CheckoutPayment,
): Promise<PayCheckoutResult> {
  const { db, clock, payments } = services;
  const anybody = { isBuyer: false, now: clock.now() };
  const { placed, payer } = placement ?? (await placeCheckout(db, open, anybody));
  const { subject } = open.offer;
  const owned = subject.kind === 'product' ? await findMembership(db, open.buyer.id, subject) : undefined;
  if (await isOwnedForLife(db, owned, clock.now())) return { kind: 'already-owned' };
  if (placed.kind === 'nothing')
    // A second click, or another tab, has paid it since the page was shown.
    return { kind: (await isPaid(db, open.reservationId)) ? 'already-paid' : 'adds-nothing' };
  // Decided now: a report from the provider may settle the payment much later.
  const offer = { ...open.offer, renews: placed.startsSubscription };
  const orderId = orderIdOf(open, payments);
  const checkout = { ...open, payer, offer, orderId, method, reference: null };
  const { amountMinor, currency } = offer;
  if (amountMinor === 0) {
    const { kind } = await settlePayment(db, { checkout, charged: null }, clock.now());
    return { kind };
  }
  if (await settleEarlierOrders(services, checkout)) return { kind: 'paid-before' };
  const started = await startPayment(db, checkout, clock.now());
  if (started !== 'started') return { kind: started };
  const earlier = await findCharge(db, orderId);
  const starting = startOrder(payments, {
    ...{ orderId, amountMinor, currency, method, expiresAt: open.expiresAt },
    kind: offer.paidBy,
    description: descriptionOf(offer),
    buyerEmail: open.buyer.email,
    renews: offer.renews && offer.periodDays !== null ? { periodDays: offer.periodDays } : null,
    returnUrl: `${url}?returned`,
    cancelUrl,
    previous: earlier?.reference,
  });
  const result = await starting.catch(async (error) => {
    await loseAttempt(db, orderId, clock.now());
    throw error;
  });
  if (result.kind === 'redirect') {
    // The buyer can't pay until this is stored.
    await markRedirected(db, orderId, result.reference);
    return result;
  }
  if (result.kind === 'paid' && earlier?.reference != null)
    return await settleEarlierAttempt(services, await chargedCheckout(db, earlier));
  return await settleCharge(services, checkout, result);
}

/** Returns what is bought and from whom, as far as our mails may quote it: the provider may mail it to anyone. */
function descriptionOf({ subject, name, seller }: Offer): string {
  const isQuotable = (text: string) => quotableName(text, '') !== undefined;
  const item = isQuotable(name) ? name : t(subject.kind === 'plan' ? 'A plan' : 'A product');
  return seller !== null && isQuotable(seller) ? `${item} (${seller})` : item;
}

/** Stores an order that was paid on the provider's page before it was started again, if the price matches the order. */
async function settleEarlierAttempt(
  services: Charging,
  checkout: ChargedCheckout,
): Promise<SettleChargeResult> {
  const found = await findCharged(services.payments, checkout);
  if (found.kind !== 'paid')
    throw new Error(
      `"start" of the payment provider returned paid for an order that "find" returns as ${found.kind}.`,
    );
  const settled = await storePaid(services, checkout, found);
  return settled.kind === 'other-price' ? { kind: 'no-access' } : settled;
}

function startPayment(
  db: Database,
  checkout: ChargedCheckout,
  now: number,
): Promise<'started' | 'already-paid' | 'changed'> {
  const { orderId, method, reservationId, offer, buyer } = checkout;
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
    const order = { order_id: orderId, reservation_id: reservationId, user_id: buyer.id };
    const charge = { ...order, payment_method: method, facts: formatFacts(checkout) };
    await startCharge(transaction, charge, now);
    return 'started';
  });
}

/**
 * Returns an order id made of the terms and, for a plan, the reservation. A product and a plan for life are bought
 * once, so payments in two of their checkouts are the same order. Buying a product again after its access has ended is
 * a new order, and so is a plan for life with a checkout that was opened after the payment.
 */
function orderIdOf({ reservationId, offer, buyer, purchases }: OpenCheckout, payments: PaymentProvider) {
  const terms = termsOf(offer, buyer.id);
  // A provider's page stays open for hours. If checkouts shared it, a stranger's checkout could take over someone
  // else's payment.
  const isChargedHere = payments.methods(offer.paidBy).length > 0;
  const isBoughtOnce = offer.subject.kind === 'product' || (isChargedHere && offer.periodDays === null);
  return isBoughtOnce ? `purchase-${purchases + 1}:${terms}` : `${reservationId}:${terms}`;
}

async function isPaid(db: Database, reservationId: string): Promise<boolean> {
  return await hasRows(
    db.selectFrom('checkout_reservations').where('id', '=', reservationId).where('paid_at', 'is not', null),
  );
}
