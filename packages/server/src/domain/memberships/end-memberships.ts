import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import type { Database } from '../../platform/database/open-database.js';
import { decideEndNow } from './membership-change.js';
import { saveMembership } from './memberships.js';

/**
 * Ends all memberships of a user at once, each with its event, and cancels their subscriptions. Announces an expiry that no worker has
 * announced, because later events no longer name the user. The rows stay locked until the
 * caller's transaction ends, so no concurrent change follows.
 */
export async function endMembershipsOf(transaction: Database, userId: string, now: number): Promise<void> {
  const rows = await transaction
    .selectFrom('memberships')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .$if(hasRowLocks(transaction), (query) => query.forUpdate())
    .execute();
  for (const row of rows) {
    const decision = decideEndNow(row, now);
    if (decision.kind === 'changed') await saveMembership(transaction, decision.row, { isNew: false, now });
    else if (row.lapse_announced_at === null) {
      await saveMembership(transaction, { ...row, lapse_announced_at: now }, { isNew: false, now });
    }
  }
}
