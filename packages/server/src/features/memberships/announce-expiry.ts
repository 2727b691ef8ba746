import type { Schema } from '../../migrations/schema.js';
import type { Worker } from '../../platform/background/background-work.js';
import { handleEachDue, PAGE_SIZE } from '../../platform/background/background-work.js';
import type { Clock } from '../../platform/clock.js';
import type { Expression, ExpressionBuilder, SqlBool } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { recordAudit } from '../audit/audit.js';
import { isCharging } from '../charges/charges.js';
import { membershipSql } from './membership-state.js';
import { recordMembershipChange } from './memberships.js';

/**
 * Memberships of an expiry worker. `renewable`: those that a subscription renews, or that a renewal without a stored result may
 * extend. `final`: all others.
 */
export type ExpiringMemberships = 'renewable' | 'final';

/** Creates the worker that records one `membership.updated` event for each membership that has expired. */
export function createExpiryWorker(
  { db, clock, logger }: { db: Database; clock: Clock; logger: Logger },
  memberships: ExpiringMemberships,
): Worker {
  const name = 'announce expiry';
  return {
    name,
    runOnce: (signal) =>
      handleEachDue<ExpiredRow>(
        {
          name,
          logger,
          page: (after) => listExpired(db, { memberships, after }, clock.now()),
          handle: ({ id }) => announceExpiry(db, { memberships, id }, clock.now()),
        },
        signal,
      ),
  };
}

interface ExpiredRow {
  id: string;
  valid_until: number | null;
}

async function listExpired(
  db: Database,
  { memberships, after }: { memberships: ExpiringMemberships; after: ExpiredRow | undefined },
  now: number,
): Promise<ExpiredRow[]> {
  return await db
    .selectFrom('memberships')
    .select(['id', 'valid_until'])
    .where('lapse_announced_at', 'is', null)
    .where((eb) => membershipSql.isExpired(eb, now))
    // Access begins again later.
    .where('plan_changes_at', 'is', null)
    .where(conditionOf(memberships, now))
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

function conditionOf(
  memberships: ExpiringMemberships,
  now: number,
): (eb: ExpressionBuilder<Schema, 'memberships'>) => Expression<SqlBool> {
  return (eb) => {
    const charges = eb
      .selectFrom('charges')
      .select('charges.order_id')
      .whereRef('charges.subscription_id', '=', 'memberships.subscription_id');
    const isRenewable = eb.or([membershipSql.isRenewing(eb), eb.exists(charges)]);
    if (memberships === 'final') return eb.not(isRenewable);
    // The process that charges a renewal announces the expiry if the charge fails.
    return eb.and([isRenewable, eb.not(eb.exists(charges.where(isCharging(now))))]);
  };
}

function announceExpiry(
  db: Database,
  { memberships, id }: { memberships: ExpiringMemberships; id: string },
  now: number,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const expired = await transaction
      .updateTable('memberships')
      .set({ lapse_announced_at: now })
      .where('id', '=', id)
      .where('lapse_announced_at', 'is', null)
      .where((eb) => membershipSql.isExpired(eb, now))
      .where('plan_changes_at', 'is', null)
      .where(conditionOf(memberships, now))
      .returningAll()
      .executeTakeFirst();
    if (expired === undefined) return false;
    const { id: subjectId, community_id: communityId } = expired;
    await recordAudit(transaction, { action: 'membership.end', subjectId, communityId });
    await recordMembershipChange(transaction, expired, { isNew: false, now });
    return true;
  });
}
