import type { Database } from '../../platform/database/open-database.js';
import { hasEnded, type MembershipRow, saveMembership } from './save-membership.js';

/** Whether a payment provider's subscription renews the membership: it has one that nobody cancelled. */
export function isRenewing({
  subscription_id,
  subscription_cancelled_at,
}: Pick<MembershipRow, 'subscription_id' | 'subscription_cancelled_at'>): boolean {
  return subscription_id !== null && subscription_cancelled_at === null;
}

/**
 * Cancels the subscription that renews a membership, with the event that tells of it: the time that is paid stays, and
 * nothing renews it. Called inside the transaction that read the row.
 *
 * @returns false, with nothing written, when no subscription renews it.
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
    // The event that is written now says whether it is over.
    lapse_announced_at: hasEnded(membership, now) ? (membership.lapse_announced_at ?? now) : null,
  };
  await saveMembership(transaction, cancelled, { isNew: false, now });
  return true;
}
