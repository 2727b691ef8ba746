import type { Database } from '../database/open-database.js';
import { type MembershipRow, saveMembership } from '../membership/save-membership.js';

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
  await saveMembership(transaction, { ...membership, subscription_cancelled_at: now }, { isNew: false, now });
  return true;
}
