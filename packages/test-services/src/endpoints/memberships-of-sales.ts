import { randomId } from '../state/ids.js';
import type { FakeMembership, FakeUser } from '../state/users.js';
import type { FakePlan, MembershipRecord, Period, Reservation } from '../state/world.js';
import type { EndpointContext, NewEvent } from './endpoint-context.js';

const DAY_MS = 24 * 3_600_000;

/** Creates a membership of a community, and puts it into the list of the user. */
export function createMembership(
  { reading, world, clock }: EndpointContext,
  grant: Pick<MembershipRecord, 'user' | 'communityId' | 'planId' | 'orderId' | 'period'>,
): MembershipRecord {
  const membership: FakeMembership = {
    id: world.newId(),
    productType: 'community',
    isActive: true,
    ...timestamps(reading.period(grant.period)),
  };
  const record = { ...grant, membership, isSubscription: false, createdAt: clock.now() };
  world.records.push(record);
  grant.user.memberships.push(membership);
  return record;
}

/** Sets the period of a membership. */
export function setPeriod({ reading }: EndpointContext, record: MembershipRecord, period: Period): void {
  record.period = period;
  Object.assign(record.membership, timestamps(reading.period(period)));
  if (!reading.keepsMembershipId) record.membership.id = randomId(period.from);
}

function timestamps({ from, until }: Period) {
  return {
    validFrom: new Date(from).toISOString(),
    validUntil: until === null ? null : new Date(until).toISOString(),
  };
}

/** Grants what a buyer has paid for, once. */
export function completePayment(context: EndpointContext, reservation: Reservation): MembershipRecord {
  if (reservation.record !== undefined) return reservation.record;
  const { plan, user } = reservation;
  const { record, type } = grantPlan(context, user, plan);
  reservation.record = record;
  const { communityId } = plan;
  context.emit(
    { type, communityId, record, reservation: undefined },
    { type: 'payment.success', communityId, record, reservation },
  );
  return record;
}

/** Renews a membership from its end, or from now, as a subscription does. */
export function renewMembership(context: EndpointContext, record: MembershipRecord, days: number): void {
  record.isSubscription = true;
  const now = context.clock.now();
  const start = Math.max(now, record.period.until ?? now);
  setPeriod(context, record, { from: now, until: start + days * DAY_MS });
  const { communityId } = record;
  context.emit({ type: 'membership.updated', communityId, record, reservation: undefined });
}

function grantPlan(
  context: EndpointContext,
  user: FakeUser,
  { id: planId, communityId, days }: FakePlan,
): { record: MembershipRecord; type: NewEvent['type'] } {
  const now = context.clock.now();
  const known = context.world.findRecord(user, communityId);
  const start = known !== undefined && context.world.isActive(known) ? (known.period.until ?? now) : now;
  const isLifetime = days === null || (known !== undefined && known.period.until === null);
  const until = isLifetime ? null : start + (days ?? 0) * DAY_MS;
  if (known === undefined) {
    const period = { from: now, until };
    const record = createMembership(context, { user, communityId, planId, orderId: null, period });
    return { record, type: 'membership.created' };
  }
  known.planId = planId;
  setPeriod(context, known, { from: now, until });
  return { record: known, type: 'membership.updated' };
}
