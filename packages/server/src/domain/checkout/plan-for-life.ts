import type { Database } from '../../platform/database/open-database.js';
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
  const { reservationId, offer, buyer, openedAt } = checkout;
  const plan = lifetimePlanOf(offer);
  if (plan === undefined) return 'none';
  const payments = await paymentsOfPlan(db, { userId: buyer.id, plan, except: reservationId })
    .where('created_at', '>', openedAt)
    .execute();
  if (payments.length === 0) return 'none';
  const isSameOrder = payments.some(
    ({ amount_minor, currency }) => amount_minor === offer.amountMinor && currency === offer.currency,
  );
  return isSameOrder ? 'same-order' : 'other-price';
}
