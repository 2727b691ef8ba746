import { handleEachDue, PAGE_SIZE, type Worker } from '../../platform/background/background-work.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { readMembership } from './membership-periods.js';
import { saveMembership } from './memberships.js';

interface DueChange {
  readonly id: string;
  readonly plan_changes_at: number | null;
}

/**
 * Creates the worker that moves memberships on to their next period, each with its event: when the plan of the running period ends and
 * another follows, and when access begins again after a break.
 */
export function createPlanWorker({
  db,
  clock,
  logger,
}: {
  db: Database;
  clock: Clock;
  logger: Logger;
}): Worker {
  const name = 'change plans';
  return {
    name,
    runOnce: (signal) =>
      handleEachDue<DueChange>(
        {
          name,
          logger,
          page: (after) => listDue(db, after, clock.now()),
          handle: ({ id }) => changePlan(db, id, clock.now()),
        },
        signal,
      ),
  };
}

async function listDue(db: Database, after: DueChange | undefined, now: number): Promise<DueChange[]> {
  return await db
    .selectFrom('memberships')
    .select(['id', 'plan_changes_at'])
    .where('plan_changes_at', '<=', now)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('plan_changes_at', 'id'), '>', eb.tuple(after?.plan_changes_at ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('plan_changes_at')
    .orderBy('id')
    .limit(PAGE_SIZE)
    .execute();
}

/** Stores the access that the periods give now. False if another process has. */
function changePlan(db: Database, id: string, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const stored = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', id)
      .where('plan_changes_at', '<=', now)
      .executeTakeFirst();
    if (stored === undefined) return false;
    const { row } = await readMembership(transaction, stored, now);
    await saveMembership(transaction, row, { isNew: false, now });
    return true;
  });
}
