import type { Needs } from '../../app/services.js';
import type { Schema } from '../../migrations/schema.js';
import { dueWorker, PAGE_SIZE, type Worker } from '../../platform/background/background-work.js';
import type { Expression, ExpressionBuilder, SqlBool } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { nextRows } from '../../platform/database/rows.js';
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
    page: (after: ExpiredRow | undefined) => listExpired(db, { memberships, after }, clock.now()),
    handle: ({ id }) => announceExpiry(db, { memberships, id }, clock.now()),
  });
}

interface ExpiredRow {
  id: string;
  valid_until: number | null;
}

function listExpired(
  db: Database,
  { memberships, after }: { memberships: ExpiringMemberships; after: ExpiredRow | undefined },
  now: number,
): Promise<ExpiredRow[]> {
  const expired = db
    .selectFrom('memberships')
    .select(['id', 'valid_until'])
    .where('lapse_announced_at', 'is', null)
    .where((eb) => membershipSql.isExpired(eb, now))
    // Access begins again later.
    .where('plan_changes_at', 'is', null)
    .where(conditionOf(memberships, now));
  const position = after && [after.valid_until, after.id];
  return nextRows(expired, { by: ['valid_until', 'id'], after: position, limit: PAGE_SIZE }).execute();
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
    // The process that charges the renewal announces the expiry if the charge fails.
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

/** Creates the worker that records an event when another plan follows, or access begins again after a break. */
export function createPlanWorker({ db, clock, logger }: Needs<'db' | 'clock' | 'logger'>): Worker {
  return dueWorker<{ id: string; plan_changes_at: number | null }>({
    name: 'change plans',
    logger,
    page(after) {
      const due = db
        .selectFrom('memberships')
        .select(['id', 'plan_changes_at'])
        .where('plan_changes_at', '<=', clock.now());
      const position = after && [after.plan_changes_at, after.id];
      return nextRows(due, { by: ['plan_changes_at', 'id'], after: position, limit: PAGE_SIZE }).execute();
    },
    handle: ({ id }) => changePlan(db, id, clock.now()),
  });
}

/** False if another process has already done so. */
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
