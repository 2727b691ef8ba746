import type { Database } from '../../platform/database/open-database.js';
import type { OpenCheckout } from './checkout.js';
import type { Offer, OfferSubject } from './offer.js';

type PlanSubject = OfferSubject & { readonly kind: 'plan' };

/** Returns the plan of an offer for lifetime access; `undefined` for other offers. */
export function lifetimePlanOf({ subject, periodDays }: Offer): PlanSubject | undefined {
  return subject.kind === 'plan' && periodDays === null ? subject : undefined;
}

/** Query for the successful payments of a user for a plan in other checkouts than `except`, each with its price. */
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
    .where('reservation_id', '!=', except);
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
  { reservationId, offer, buyer, openedAt }: OpenCheckout,
): Promise<'none' | 'same-order' | 'other-price'> {
  const plan = lifetimePlanOf(offer);
  if (plan === undefined) return 'none';
  const payments = await paymentsOfPlan(db, { userId: buyer.id, plan, except: reservationId })
    .where('created_at', '>', openedAt)
    .execute();
  if (payments.length === 0) return 'none';
  const isSame = payments.some(
    (payment) => payment.amount_minor === offer.amountMinor && payment.currency === offer.currency,
  );
  return isSame ? 'same-order' : 'other-price';
}
