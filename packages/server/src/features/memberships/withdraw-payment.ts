import type { Database } from '../../platform/database/open-database.js';
import { readMembership, withTimeline } from './membership-periods.js';
import { isRenewing } from './membership-state.js';
import { saveMembership } from './memberships.js';
import { withdrawPeriods } from './timeline.js';

/**
 * Takes back what is left of the periods that a payment bought, in the caller's transaction. Planned periods that follow move forward,
 * and without any access ends now. A subscription that the payment began or renewed is cancelled. What has passed stays. Repeating the
 * call changes nothing.
 */
export async function withdrawPayment(
  transaction: Database,
  { paymentId, now }: { paymentId: string; now: number },
): Promise<void> {
  const bought = await transaction
    .selectFrom('membership_periods')
    .select(['membership_id', 'subscription_id'])
    .where('payment_id', '=', paymentId)
    .execute();
  const [first] = bought;
  if (first === undefined) return;
  const stored = await transaction
    .selectFrom('memberships')
    .selectAll()
    .where('id', '=', first.membership_id)
    .executeTakeFirstOrThrow();
  const { row, timeline } = await readMembership(transaction, stored, now);
  const after = withdrawPeriods(timeline, paymentId, now);
  const isOfSubscription = bought.some(
    ({ subscription_id: id }) => id !== null && id === row.subscription_id,
  );
  const isCancelled = isOfSubscription && isRenewing(row);
  const hasLeft = timeline.some((period) => period.paymentId === paymentId);
  if (!hasLeft && !isCancelled) return;
  const cancelled = isCancelled ? { ...row, subscription_cancelled_at: now } : row;
  const changed = withTimeline(cancelled, after, now);
  await saveMembership(transaction, changed, { isNew: false, now, periods: { before: timeline, after } });
}
