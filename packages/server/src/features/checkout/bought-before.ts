import type { Database } from '../../platform/database/open-database.js';
import { countRows } from '../../platform/database/rows.js';
import { isActive } from '../memberships/membership-state.js';
import type { MembershipRow } from '../memberships/memberships.js';
import type { OfferSubject, OfferTerms } from './offer.js';

/**
 * True if lifetime access to a product is active, or was bought. Bought access starts with its payment at the latest. If it
 * seems upcoming, the clock of the payment was ahead, or `now` was read before a concurrent payment. It must not be sold
 * again. Access that a seller granted for later can be bought now.
 *
 * @param membership the user's membership of the product, in any state.
 * @param now milliseconds since the epoch.
 */
export async function isOwnedForLife(db: Database, membership: MembershipRow | undefined, now: number) {
  if (membership === undefined || membership.valid_until !== null) return false;
  if (isActive(membership, now)) return true;
  const { user_id: userId, product_id: productId, valid_from: validFrom } = membership;
  const payment = await purchasesOf(db, { userId, productId })
    .select('id')
    .where('created_at', '>=', validFrom)
    .limit(1)
    .executeTakeFirst();
  return payment !== undefined;
}

/** Returns how often a user paid for a product. */
export function countPurchases(db: Database, key: { userId: string; productId: string }): Promise<number> {
  return countRows(purchasesOf(db, key));
}

function purchasesOf(db: Database, { userId, productId }: { userId: string; productId: string | null }) {
  return (
    db
      .selectFrom('payments')
      .where('user_id', '=', userId)
      // The index starts with the user and the community.
      .where('community_id', 'is', null)
      .where('product_id', '=', productId)
      .where('status', '=', 'succeeded')
  );
}

type PlanSubject = OfferSubject & { readonly kind: 'plan' };

/** Returns the plan of an offer for lifetime access; `undefined` for other offers. */
export function lifetimePlanOf({ subject, periodDays }: OfferTerms): PlanSubject | undefined {
  return subject.kind === 'plan' && periodDays === null ? subject : undefined;
}

/**
 * Query for the successful payments of a user for a plan in other checkouts than `except`. Payments without
 * access are among them: they are orders of the payment provider too.
 */
export function paymentsOfPlan(
  db: Database,
  { userId, plan, except }: { userId: string; plan: PlanSubject; except: string },
) {
  return db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('community_id', '=', plan.communityId)
    .where('pricing_plan_id', '=', plan.planId)
    .where('status', '=', 'succeeded')
    .where((eb) => eb.or([eb('reservation_id', 'is', null), eb('reservation_id', '!=', except)]));
}
