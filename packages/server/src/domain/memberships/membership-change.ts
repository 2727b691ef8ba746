import { randomUUID } from 'node:crypto';
import type { AccessWindow } from './membership-grant.js';
import { isExpired, isRenewing } from './membership-state.js';
import type { MembershipRow } from './memberships.js';

/** Decision about a change to a membership. Only `changed` contains a row to store. */
export type MembershipChangeDecision =
  | { kind: 'changed'; row: MembershipRow }
  | { kind: 'unchanged' }
  /** The membership is active or upcoming. Its end can be changed instead. */
  | { kind: 'still-running' }
  /** A subscription renews the membership, and would go on charging the buyer. */
  | { kind: 'renewing' }
  /** The membership has expired. The person may have left, so a new end requires an invitation. */
  | { kind: 'expired' }
  /** The end would not be after the start. */
  | { kind: 'no-time' };

/** Decides a grant to a user who already has a membership. Only an expired one is granted again, without a subscription. */
export function decideRegrant(
  row: MembershipRow,
  window: AccessWindow,
  now: number,
): MembershipChangeDecision {
  if (!isExpired(row, now)) return { kind: 'still-running' };
  const renewed = { ...row, pricing_plan_id: null, subscription_id: null, subscription_cancelled_at: null };
  return { kind: 'changed', row: withWindow(renewed, window, now) };
}

/**
 * Decides the acceptance of an invitation by a member or former member. An expired membership gets the new window. Any
 * other gets the earlier start and the later end. A subscription sets the end with every payment, so it must be cancelled
 * first.
 */
export function decideJoin(row: MembershipRow, window: AccessWindow, now: number): MembershipChangeDecision {
  const regrant = decideRegrant(row, window, now);
  if (regrant.kind !== 'still-running') return regrant;
  if (isRenewing(row)) return { kind: 'renewing' };
  const isLonger =
    row.valid_until !== null && (window.validUntil === null || window.validUntil > row.valid_until);
  const validFrom = Math.min(row.valid_from, window.validFrom);
  if (!isLonger && validFrom === row.valid_from) return { kind: 'unchanged' };
  const validUntil = isLonger ? window.validUntil : row.valid_until;
  return { kind: 'changed', row: withWindow(row, { validFrom, validUntil }, now) };
}

/** Decides a new end. A subscription sets the end with every payment, so it must be cancelled first. */
export function decideEnd(
  row: MembershipRow,
  validUntil: number | null,
  now: number,
): MembershipChangeDecision {
  if (isRenewing(row)) return { kind: 'renewing' };
  if (validUntil === row.valid_until) return { kind: 'unchanged' };
  if (isExpired(row, now)) return { kind: 'expired' };
  if (validUntil !== null && validUntil <= row.valid_from) return { kind: 'no-time' };
  return { kind: 'changed', row: withWindow(row, { validFrom: row.valid_from, validUntil }, now) };
}

/** Decides the immediate end of access. It cancels the subscription, whose next payment would restore access. */
export function decideEndNow(row: MembershipRow, now: number): MembershipChangeDecision {
  const isOver = isExpired(row, now);
  if (isOver && !isRenewing(row)) return { kind: 'unchanged' };
  const window = isOver
    ? { validFrom: row.valid_from, validUntil: row.valid_until }
    : { validFrom: Math.min(row.valid_from, now), validUntil: now };
  const cancelled = isRenewing(row) ? { ...row, subscription_cancelled_at: now } : row;
  return { kind: 'changed', row: withWindow(cancelled, window, now) };
}

/** The event of the change already reports an expiry, so the expiry is not announced again. */
function withWindow(row: MembershipRow, { validFrom, validUntil }: AccessWindow, now: number): MembershipRow {
  return {
    ...row,
    valid_from: validFrom,
    valid_until: validUntil,
    lapse_announced_at: isExpired({ valid_until: validUntil }, now) ? (row.lapse_announced_at ?? now) : null,
  };
}

/** Returns the row of a first membership, without its window. By default it is one of the community. */
export function newMembership({
  id = randomUUID(),
  userId,
  productType = 'community',
  communityId = null,
  productId = null,
}: {
  id?: string;
  userId: string;
  productType?: MembershipRow['product_type'];
  communityId?: string | null | undefined;
  productId?: string | null | undefined;
}): Omit<MembershipRow, 'valid_from' | 'valid_until'> {
  return {
    id,
    user_id: userId,
    product_type: productType,
    community_id: communityId,
    product_id: productId,
    pricing_plan_id: null,
    external_order_id: null,
    subscription_id: null,
    subscription_cancelled_at: null,
    lapse_announced_at: null,
  };
}
