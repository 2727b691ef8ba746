import { hasEnded, type MembershipRow } from './save-membership.js';
import { isRenewing } from './subscription.js';

/** When access begins and ends, in milliseconds since the epoch; `null` is for life. */
export interface AccessWindow {
  validFrom: number;
  validUntil: number | null;
}

/** `changed` carries the row in its new form; everything else leaves it as it is. */
export type MembershipDecision =
  | { kind: 'changed'; row: MembershipRow }
  | { kind: 'unchanged' }
  /** There is time left on it, or it has yet to begin: its end can be changed instead. */
  | { kind: 'still-running' }
  /** A subscription renews it: whoever pays for it would go on paying. */
  | { kind: 'renewing' }
  /** The end would not be after the start. */
  | { kind: 'no-time' };

/**
 * Decides a grant to somebody who has a row already: only one that has lapsed is given anew, as in provisioning. What
 * renewed it once does so no more.
 */
export function decideRegrant(row: MembershipRow, window: AccessWindow, now: number): MembershipDecision {
  if (!hasEnded(row, now)) return { kind: 'still-running' };
  const renewed = { ...row, pricing_plan_id: null, subscription_id: null, subscription_cancelled_at: null };
  return { kind: 'changed', row: withWindow(renewed, window, now) };
}

/** Decides another end. A subscription sets the end with every payment, so it has to be cancelled first. */
export function decideEnd(row: MembershipRow, validUntil: number | null, now: number): MembershipDecision {
  if (isRenewing(row)) return { kind: 'renewing' };
  if (validUntil === row.valid_until) return { kind: 'unchanged' };
  if (validUntil !== null && validUntil <= row.valid_from) return { kind: 'no-time' };
  return { kind: 'changed', row: withWindow(row, { validFrom: row.valid_from, validUntil }, now) };
}

/** Decides the end of access this moment; a subscription ends with it, or its next payment would open it again. */
export function decideEndNow(row: MembershipRow, now: number): MembershipDecision {
  const isOver = hasEnded(row, now);
  if (isOver && !isRenewing(row)) return { kind: 'unchanged' };
  const window = isOver
    ? { validFrom: row.valid_from, validUntil: row.valid_until }
    : { validFrom: Math.min(row.valid_from, now), validUntil: now };
  const cancelled = isRenewing(row) ? { ...row, subscription_cancelled_at: now } : row;
  return { kind: 'changed', row: withWindow(cancelled, window, now) };
}

/** The event of the change tells of a window that is over; its lapse is then not announced a second time. */
function withWindow(row: MembershipRow, { validFrom, validUntil }: AccessWindow, now: number): MembershipRow {
  return {
    ...row,
    valid_from: validFrom,
    valid_until: validUntil,
    lapse_announced_at: hasEnded({ valid_until: validUntil }, now) ? (row.lapse_announced_at ?? now) : null,
  };
}
