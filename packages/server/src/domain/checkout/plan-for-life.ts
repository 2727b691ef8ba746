import type { Database } from '../../platform/database/open-database.js';
import { hasCharges } from '../charges/charges.js';
import type { ChargedCheckout } from './charged-checkout.js';
import type { OfferSubject, OfferTerms } from './offer.js';

type PlanSubject = OfferSubject & { readonly kind: 'plan' };

/** Returns the plan of an offer for lifetime access; `undefined` for other offers. */
export function lifetimePlanOf({ subject, periodDays }: OfferTerms): PlanSubject | undefined {
  return subject.kind === 'plan' && periodDays === null ? subject : undefined;
}

/**
 * Query for the successful payments of a user for a plan in other checkouts than `except`, each with its price. Payments without
 * access are among them: they are orders of the payment provider too.
 */
export function paymentsOfPlan(
  db: Database,
  { userId, plan, except }: { userId: string; plan: PlanSubject; except: string },
) {
  return db
    .selectFrom('payments')
    .select(['amount_minor', 'currency'])
    .where('user_id', '=', userId)
    .where('community_id', '=', plan.communityId)
    .where('pricing_plan_id', '=', plan.planId)
    .where('status', '=', 'succeeded')
    .where((eb) => eb.or([eb('reservation_id', 'is', null), eb('reservation_id', '!=', except)]));
}

/**
 * Returns if the buyer paid for the same plan for life in another checkout since this one was opened. The second payment
 * would add nothing. A checkout that an app opens after the payment is a new purchase: the app may know why.
 *
 * - `none`: no such payment.
 * - `same-order`: at the price of this checkout. The payment provider charges both checkouts as one order.
 * - `other-price`: the seller changed the price meanwhile, so a charge of this checkout is another order.
 */
export async function boughtElsewhere(
  db: Database,
  checkout: ChargedCheckout,
): Promise<'none' | 'same-order' | 'other-price'> {
  const payments = await laterPayments(db, checkout)?.execute();
  if (payments === undefined || payments.length === 0) return 'none';
  return payments.some((payment) => hasPriceOf(checkout, payment)) ? 'same-order' : 'other-price';
}

/** True if an earlier version, which stores no order ids, stored a payment of the same plan for life as `same-order`. */
export async function isBoughtElsewhereWithoutId(db: Database, checkout: ChargedCheckout): Promise<boolean> {
  const hasOrderIds = await hasCharges(db);
  const payments = await laterPayments(db, checkout)
    ?.$if(hasOrderIds, (query) => query.where('order_id', 'is', null))
    .execute();
  return payments?.some((payment) => hasPriceOf(checkout, payment)) ?? false;
}

/** Query for the payments for the same plan for life in other checkouts since this one was opened; `undefined` for other plans. */
function laterPayments(db: Database, { reservationId, offer, buyer, openedAt }: ChargedCheckout) {
  const plan = lifetimePlanOf(offer);
  return (
    plan &&
    paymentsOfPlan(db, { userId: buyer.id, plan, except: reservationId }).where('created_at', '>', openedAt)
  );
}

function hasPriceOf(
  { offer }: ChargedCheckout,
  payment: { amount_minor: number; currency: string },
): boolean {
  return payment.amount_minor === offer.amountMinor && payment.currency === offer.currency;
}
