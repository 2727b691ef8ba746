import { randomUUID } from 'node:crypto';
import type { Row, Schema } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { pick, prepareDeferredWrite, prepareQuery } from '../../platform/database/prepared-query.js';
import { isActive, isExpired } from './membership-state.js';
import {
  accessAt,
  endOf,
  followingOf,
  isWaiting,
  type Period,
  type Stretch,
  type Timeline,
} from './timeline.js';

type MembershipRow = Row<'memberships'>;

export interface Membership {
  readonly row: MembershipRow;
  readonly timeline: Timeline;
}

export interface StoredTimeline {
  readonly before: Timeline;
  readonly after: Timeline;
}

const findPeriods = prepareQuery((db, values: { membershipId: string; now: number }) =>
  db
    .selectFrom('membership_periods')
    .select(['id', 'plan_id as planId', 'starts_at as startsAt', 'ends_at as endsAt', 'source'])
    .select(['payment_id as paymentId', 'subscription_id as subscriptionId'])
    .select('ordered_plan_id as orderedPlanId')
    .where('membership_id', '=', values.membershipId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', values.now)]))
    .orderBy('starts_at'),
);

const insertPeriod = prepareDeferredWrite((db, values: Schema['membership_periods']) =>
  db
    .insertInto('membership_periods')
    .values(
      pick(values, [
        'id',
        'membership_id',
        'plan_id',
        'ordered_plan_id',
        'starts_at',
        'ends_at',
        'source',
        'payment_id',
        'subscription_id',
        'created_at',
      ]),
    ),
);

const movePeriod = prepareDeferredWrite(
  (db, values: { id: string; starts_at: number; ends_at: number | null }) =>
    db
      .updateTable('membership_periods')
      .set({ starts_at: values.starts_at, ends_at: values.ends_at })
      .where('id', '=', values.id),
);

const deletePeriod = prepareDeferredWrite((db, values: { id: string }) =>
  db.deleteFrom('membership_periods').where('id', '=', values.id),
);

/** A membership that was stored without periods counts as a single one. */
async function readTimeline(db: Database, row: MembershipRow, now: number): Promise<Timeline> {
  // Nothing is left of an expired membership, unless access begins again.
  if (isExpired(row, now) && row.plan_changes_at === null) return [];
  const found = await findPeriods.all(db, { membershipId: row.id, now });
  if (found.length > 0 || isExpired(row, now)) return found;
  const { valid_from: startsAt, valid_until: endsAt, pricing_plan_id: planId } = row;
  const subscriptionId = row.subscription_id;
  return [{ planId, startsAt, endsAt, source: 'grant', paymentId: null, subscriptionId }];
}

/** Returns a membership with its periods. Its row has the access that runs now, even if no worker has stored it yet. */
export async function readMembership(db: Database, row: MembershipRow, now: number): Promise<Membership> {
  const timeline = await readTimeline(db, row, now);
  return { row: withTimeline(row, timeline, now), timeline };
}

export interface NamedStretch extends Omit<Stretch, 'planId'> {
  readonly planName: string | null;
}

export async function readFollowing(
  db: Database,
  row: Pick<MembershipRow, 'id' | 'plan_changes_at'>,
  now: number,
): Promise<NamedStretch[]> {
  if (row.plan_changes_at === null) return [];
  const following = followingOf(await findPeriods.all(db, { membershipId: row.id, now }), now);
  const names = await namesOfPlans(db, following);
  return following.map(({ planId, ...stretch }) => ({
    ...stretch,
    planName: names.get(planId ?? '') ?? null,
  }));
}

export async function namesOfPlans(db: Database, periods: readonly Pick<Period, 'planId'>[]) {
  const ids = periods.flatMap(({ planId }) => planId ?? []);
  if (ids.length === 0) return new Map<string, string>();
  const plans = await db.selectFrom('pricing_plans').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(plans.map(({ id, name }) => [id, name]));
}

export async function savePeriods(
  transaction: Database,
  membershipId: string,
  { periods, now }: { periods?: StoredTimeline | undefined; now: number },
): Promise<void> {
  const { before, after } = periods ?? { before: [], after: [] };
  const isKept = new Map(after.map((period) => [period.id, period]));
  for (const { id } of before)
    if (id !== undefined && !isKept.has(id)) await deletePeriod.run(transaction, { id });
  for (const period of after) {
    const { id, startsAt: starts_at, endsAt: ends_at } = period;
    const stored = id === undefined ? undefined : before.find((other) => other.id === id);
    if (id === undefined || stored === undefined) {
      const values = { membership_id: membershipId, starts_at, ends_at, created_at: now };
      await insertPeriod.run(transaction, { id: id ?? randomUUID(), ...values, ...originOf(period) });
    } else if (stored.startsAt !== starts_at || stored.endsAt !== ends_at)
      await movePeriod.run(transaction, { id, starts_at, ends_at });
  }
}

const originOf = ({ planId, orderedPlanId = null, source, paymentId, subscriptionId }: Period) => ({
  plan_id: planId,
  ordered_plan_id: orderedPlanId,
  source,
  payment_id: paymentId,
  subscription_id: subscriptionId,
});

/** Sets the unbroken access that runs now or comes next, with its plan. If nothing is left, it ends now. */
export function withTimeline(row: MembershipRow, timeline: Timeline, now: number): MembershipRow {
  const access = accessAt(timeline, now);
  const paid = timeline.filter(
    ({ subscriptionId }) => subscriptionId !== null && subscriptionId === row.subscription_id,
  );
  // Don't renew a period that waits: a renewal that was charged meanwhile would give no access.
  const hasNextTime = row.subscription_id !== null && !paid.some(isWaiting);
  const renews_at = hasNextTime ? (endOf(paid) ?? row.renews_at) : null;
  if (access === undefined) {
    const valid_until = isExpired(row, now) ? row.valid_until : Math.min(endOf(timeline) ?? now, now);
    const valid_from = Math.min(row.valid_from, valid_until ?? row.valid_from);
    const lapse_announced_at = row.lapse_announced_at ?? now;
    return { ...row, valid_from, valid_until, renews_at, plan_changes_at: null, lapse_announced_at };
  }
  const isGoingOn = access.validFrom <= now && isActive(row, now);
  return {
    ...row,
    valid_from: isGoingOn ? row.valid_from : access.validFrom,
    valid_until: access.validUntil,
    pricing_plan_id: access.planId,
    renews_at,
    plan_changes_at: access.changesAt,
    lapse_announced_at: null,
  };
}
