import type { Worker } from '../../platform/background/background-work.js';
import { handleEachDue, PAGE_SIZE } from '../../platform/background/each-due.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { membershipSql } from './membership-state.js';
import { recordMembershipChange } from './memberships.js';

/** Creates the worker that records one `membership.updated` event for each membership that has expired. */
export function createExpiryWorker(needs: { db: Database; clock: Clock; logger: Logger }): Worker {
  const { db, clock, logger } = needs;
  const name = 'announce expiry';
  return {
    name,
    runOnce: (signal) =>
      handleEachDue<ExpiredRow>(
        {
          name,
          logger,
          page: (after) => listExpired(db, after, clock.now()),
          handle: ({ id }) => announceExpiry(db, id, clock.now()),
        },
        signal,
      ),
  };
}

interface ExpiredRow {
  id: string;
  valid_until: number | null;
}

async function listExpired(db: Database, after: ExpiredRow | undefined, now: number): Promise<ExpiredRow[]> {
  return await db
    .selectFrom('memberships')
    .select(['id', 'valid_until'])
    .where('lapse_announced_at', 'is', null)
    .where((eb) => membershipSql.isExpired(eb, now))
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

function announceExpiry(db: Database, id: string, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const expired = await transaction
      .updateTable('memberships')
      .set({ lapse_announced_at: now })
      .where('id', '=', id)
      .where('lapse_announced_at', 'is', null)
      .where((eb) => membershipSql.isExpired(eb, now))
      .returningAll()
      .executeTakeFirst();
    if (expired === undefined) return false;
    await recordMembershipChange(transaction, expired, { isNew: false, now });
    return true;
  });
}
