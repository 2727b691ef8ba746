import type { Worker } from '../../platform/background/background-work.js';
import { handleEachDue, PAGE_SIZE } from '../../platform/background/each-due.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { recordMembershipChange } from './save-membership.js';

/** Tells, once, of every membership that time has ended: `membership.updated` with `isActive` false. */
export function createLapseAnnouncer(needs: { db: Database; clock: Clock; logger: Logger }): Worker {
  const { db, clock, logger } = needs;
  const name = 'announce lapses';
  return {
    name,
    runOnce: (signal) =>
      handleEachDue<LapsedRow>(
        {
          name,
          logger,
          page: (after) => listLapsed(db, after, clock.now()),
          handle: ({ id }) => announceLapse(db, id, clock.now()),
        },
        signal,
      ),
  };
}

interface LapsedRow {
  id: string;
  valid_until: number | null;
}

async function listLapsed(db: Database, after: LapsedRow | undefined, now: number): Promise<LapsedRow[]> {
  return await db
    .selectFrom('memberships')
    .select(['id', 'valid_until'])
    .where('lapse_announced_at', 'is', null)
    .where('valid_until', '<=', now)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('valid_until', 'id'), '>', eb.tuple(after?.valid_until ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('valid_until')
    .orderBy('id')
    .limit(PAGE_SIZE)
    .execute();
}

function announceLapse(db: Database, id: string, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const lapsed = await transaction
      .updateTable('memberships')
      .set({ lapse_announced_at: now })
      .where('id', '=', id)
      .where('lapse_announced_at', 'is', null)
      .where('valid_until', '<=', now)
      .returningAll()
      .executeTakeFirst();
    if (lapsed === undefined) return false;
    await recordMembershipChange(transaction, lapsed, { isNew: false, now });
    return true;
  });
}
