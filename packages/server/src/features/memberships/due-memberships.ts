import type { Needs } from '../../app/services.js';
import type { Schema } from '../../migrations/schema.js';
import { dueWorker, type Worker } from '../../platform/background/background-work.js';
import type { ExpressionBuilder } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { isCharging } from '../charges/charges.js';
import { readMembership } from './membership-periods.js';
import { membershipSql } from './membership-state.js';
import { recordMembershipChange, saveMembership } from './memberships.js';

/** `renewable`: a subscription, or a renewal without a stored result, may still extend them. `final`: all others. */
export type ExpiringMemberships = 'renewable' | 'final';

export function createExpiryWorker(
  { db, clock, logger }: Needs<'db' | 'clock' | 'logger'>,
  memberships: ExpiringMemberships,
): Worker {
  return dueWorker({
    name: 'announce expiry',
    logger,
    by: ['valid_until', 'id'],
    due: () =>
      db.selectFrom('memberships').select(['id', 'valid_until']).where(isDue(memberships, clock.now())),
    handle: ({ id }) => announceExpiry(db, { memberships, id }, clock.now()),
  });
}

function isDue(memberships: ExpiringMemberships, now: number) {
  return (eb: ExpressionBuilder<Schema, 'memberships'>) => {
    const charges = eb
      .selectFrom('charges')
      .select('charges.order_id')
      .whereRef('charges.subscription_id', '=', 'memberships.subscription_id');
    const isRenewable = eb.or([membershipSql.isRenewing(eb), eb.exists(charges)]);
    return eb.and([
      eb('lapse_announced_at', 'is', null),
      membershipSql.isExpired(eb, now),
      // Otherwise access begins again later.
      eb('plan_changes_at', 'is', null),
      memberships === 'final'
        ? eb.not(isRenewable)
        : // The process that charges the renewal announces the expiry if the charge fails.
          eb.and([isRenewable, eb.not(eb.exists(charges.where(isCharging(now))))]),
    ]);
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
      .where(isDue(memberships, now))
      .returningAll()
      .executeTakeFirst();
    if (expired === undefined) return false;
    const { id: subjectId, community_id: communityId } = expired;
    await recordAudit(transaction, { action: 'membership.end', subjectId, communityId });
    await recordMembershipChange(transaction, expired, { isNew: false, now });
    return true;
  });
}

/** Creates the worker that records an event when another plan follows, or access begins again after a break. */
export function createPlanWorker({ db, clock, logger }: Needs<'db' | 'clock' | 'logger'>): Worker {
  return dueWorker({
    name: 'change plans',
    logger,
    by: ['plan_changes_at', 'id'],
    due: () =>
      db
        .selectFrom('memberships')
        .select(['id', 'plan_changes_at'])
        .where('plan_changes_at', '<=', clock.now()),
    handle: ({ id }) => changePlan(db, id, clock.now()),
  });
}

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
