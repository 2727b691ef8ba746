import type { Database } from '../../platform/database/open-database.js';
import { findMembership } from '../memberships/memberships.js';
import { boughtMembership, startsSubscription } from './bought-membership.js';
import type { OpenCheckout } from './checkout.js';

/** Access after a payment that is made now. Times are milliseconds since the epoch. */
export interface PurchaseOutlook {
  /** Null for lifetime access. */
  readonly endsAt: number | null;
  /** Time of the next payment for the offer; null if the payment starts no subscription. */
  readonly nextPaymentAt: number | null;
}

/** Returns the access that paying a checkout now would lead to. A running membership is extended. */
export async function purchaseOutlook(
  db: Database,
  { offer, buyer }: OpenCheckout,
  now: number,
): Promise<PurchaseOutlook> {
  const current = await findMembership(db, buyer.id, offer.subject);
  const renews = startsSubscription(current, offer);
  const { valid_until: endsAt } = boughtMembership(
    current,
    {
      userId: buyer.id,
      subject: offer.subject,
      periodDays: offer.periodDays,
      subscriptionId: renews ? 'new' : null,
    },
    { newId: 'new', now },
  );
  return { endsAt, nextPaymentAt: renews ? endsAt : null };
}
