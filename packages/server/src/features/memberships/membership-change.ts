import { randomUUID } from 'node:crypto';
import type { AccessWindow } from './membership.resource.js';
import { type Membership, withTimeline } from './membership-periods.js';
import { isExpired, isRenewing } from './membership-state.js';
import type { MembershipRow } from './memberships.js';
import { addTimeline, addWindow, cutAt, type PeriodSource, setEnd, type Timeline } from './timeline.js';

export type MembershipChangeDecision =
  | ({ kind: 'changed' } & Membership)
  | { kind: 'unchanged' }
  /** The membership is active or upcoming. Its end can be changed instead. */
  | { kind: 'still-running' }
  /** A subscription renews the membership and would keep charging the buyer. */
  | { kind: 'renewing' }
  /** The membership has expired. The person may have left, so a new end requires an invitation. */
  | { kind: 'expired' }
  | { kind: 'no-time' };

export function decideRegrant(
  { row }: Membership,
  window: AccessWindow,
  now: number,
): MembershipChangeDecision {
  if (!isExpired(row, now)) return { kind: 'still-running' };
  return changed(unsubscribed(row), windowOf(window, 'grant', now), now, window);
}

/** Gives access without a plan under any planned periods, and takes nothing away. A subscription must end first. */
export function decideJoin(
  { row, timeline }: Membership,
  window: AccessWindow,
  now: number,
): MembershipChangeDecision {
  if (isExpired(row, now))
    return changed(unsubscribed(row), windowOf(window, 'invitation', now), now, window);
  if (isRenewing(row)) return { kind: 'renewing' };
  const joined = windowOf(window, 'invitation', now, timeline);
  return joined === timeline ? { kind: 'unchanged' } : changed(row, joined, now);
}

/** Decides a new end. A subscription sets the end with every payment, so it must be cancelled first. */
export function decideEnd(
  { row, timeline }: Membership,
  validUntil: number | null,
  now: number,
): MembershipChangeDecision {
  if (isRenewing(row)) return { kind: 'renewing' };
  if (validUntil === row.valid_until) return { kind: 'unchanged' };
  if (isExpired(row, now)) return { kind: 'expired' };
  if (validUntil !== null && validUntil <= row.valid_from) return { kind: 'no-time' };
  return changed(row, setEnd(timeline, validUntil, now), now);
}

/** Decides to end access now. This also cancels the subscription; its next payment would restore access. */
export function decideEndNow({ row, timeline }: Membership, now: number): MembershipChangeDecision {
  if (isExpired(row, now) && !isRenewing(row)) return { kind: 'unchanged' };
  const cancelled = isRenewing(row) ? { ...row, subscription_cancelled_at: now } : row;
  return changed(cancelled, cutAt(timeline, now), now);
}

/** Sets the access exactly. A subscription that paid for later time would be charged again, so it ends first. */
export function decideWindow(
  { row, timeline }: Membership,
  window: AccessWindow,
  now: number,
): MembershipChangeDecision {
  const { validFrom, validUntil } = window;
  const end = validFrom > now ? now : validUntil;
  const cut = end === null ? Number.POSITIVE_INFINITY : Math.max(now, end);
  const isPaidLater = timeline.some(
    ({ subscriptionId, endsAt }) =>
      subscriptionId === row.subscription_id && (endsAt ?? Number.POSITIVE_INFINITY) > cut,
  );
  if (isRenewing(row) && isPaidLater) return { kind: 'renewing' };
  const kept = end === null ? timeline : cutAt(timeline, cut);
  // Without an end there is nothing to renew.
  const renewable = validUntil === null ? { subscription_id: null, subscription_cancelled_at: null } : {};
  const bounded = { ...row, ...renewable, valid_from: validFrom, valid_until: validUntil };
  return changed(bounded, windowOf(window, 'grant', now, kept), now);
}

/**
 * Keeps this membership's subscription and order, or takes over the other one's if it has none. Its planned periods come first,
 * unless `isOtherFirst`: of two plans for life, the second one waits.
 */
export function mergedMembership(
  own: Membership,
  other: Membership,
  now: number,
  isOtherFirst = false,
): Membership {
  const others = other.timeline.map(({ id: _id, ...period }) => period);
  const timeline = isOtherFirst
    ? addTimeline(others, own.timeline, now)
    : addTimeline(own.timeline, others, now);
  const { subscription_id, subscription_cancelled_at, renews_at } = other.row;
  const external_order_id = own.row.external_order_id ?? other.row.external_order_id;
  // A stranger's subscription would reject the partner's next order.
  const isPartners = own.row.external_order_id !== null && !isExpired(own.row, now);
  const renewed = isRenewing(other.row) && !isRenewing(own.row) && !isPartners;
  const subscription = renewed ? { subscription_id, subscription_cancelled_at, renews_at } : {};
  const row = { ...own.row, external_order_id, ...subscription };
  return { row: withTimeline(row, timeline, now), timeline };
}

export function grantedMembership(
  target: Omit<NewMembership, 'now'>,
  { window, source, now }: { window: AccessWindow; source: PeriodSource; now: number },
): Membership {
  const timeline = windowOf(window, source, now);
  const bounded = {
    ...newMembership({ ...target, now }),
    valid_from: window.validFrom,
    valid_until: window.validUntil,
  };
  return { row: withTimeline(bounded, timeline, now), timeline };
}

function windowOf(
  { validFrom, validUntil: endsAt }: AccessWindow,
  source: PeriodSource,
  now: number,
  timeline: Timeline = [],
): Timeline {
  const origin = { source, paymentId: null, subscriptionId: null };
  return addWindow(timeline, origin, { startsAt: Math.max(validFrom, now), endsAt });
}

/** The event of this change already reports an expiry, so it isn't announced again. */
function changed(
  row: MembershipRow,
  timeline: Timeline,
  now: number,
  { validFrom, validUntil }: AccessWindow = { validFrom: row.valid_from, validUntil: row.valid_until },
): MembershipChangeDecision {
  const bounded = { ...row, valid_from: validFrom, valid_until: validUntil };
  return { kind: 'changed', row: withTimeline(bounded, timeline, now), timeline };
}

function unsubscribed(row: MembershipRow): MembershipRow {
  return { ...row, pricing_plan_id: null, subscription_id: null, subscription_cancelled_at: null };
}

interface NewMembership {
  /** @default a new id */
  readonly id?: string;
  readonly userId: string;
  /** @default 'community' */
  readonly productType?: MembershipRow['product_type'];
  readonly communityId?: string | null | undefined;
  readonly productId?: string | null | undefined;
  readonly now: number;
}

export function newMembership({
  id = randomUUID(),
  userId,
  productType = 'community',
  communityId = null,
  productId = null,
  now,
}: NewMembership): MembershipRow {
  return {
    id,
    user_id: userId,
    product_type: productType,
    community_id: communityId,
    product_id: productId,
    valid_from: now,
    valid_until: now,
    pricing_plan_id: null,
    external_order_id: null,
    subscription_id: null,
    subscription_cancelled_at: null,
    renews_at: null,
    plan_changes_at: null,
    lapse_announced_at: null,
  };
}
