import type { Database } from '../../platform/database/open-database.js';
import { isExpired, isRenewing } from './membership-state.js';
import { type MembershipRow, saveMembership } from './memberships.js';

/**
 * Cancels the subscription that renews a membership, and records the event. The paid time stays. The caller's
 * transaction must also have read the row.
 *
 * @returns false if no subscription renews the membership. Nothing is written then.
 */
export async function cancelSubscription(
  transaction: Database,
  membership: MembershipRow,
  now: number,
): Promise<boolean> {
  if (!isRenewing(membership)) return false;
  const cancelled = {
    ...membership,
    subscription_cancelled_at: now,
    // The event of this change already reports the expiry.
    lapse_announced_at: isExpired(membership, now) ? (membership.lapse_announced_at ?? now) : null,
  };
  await saveMembership(transaction, cancelled, { isNew: false, now });
  return true;
}
