import { hasEnded, type MembershipRow } from '../memberships/save-membership.js';
import { isRenewing } from '../memberships/subscription.js';
import type { OfferSubject } from './offer.js';

const DAY_MS = 24 * 3600_000;
/** The last instant that the API can write. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What a payment buys. */
export interface Purchase {
  userId: string;
  subject: OfferSubject;
  /** Null for life. */
  periodDays: number | null;
  /** The subscription that the payment began; null when nothing renews. */
  subscriptionId: string | null;
}

/**
 * The membership after a purchase. `current` is the buyer's row for the same community or product, if there is one;
 * `newId` becomes the id of a first one.
 *
 * | current | start | end |
 * |---|---|---|
 * | none, or lapsed | now | now and the period |
 * | running, or yet to begin | what it is, now at the latest | its end and the period |
 * | for life, or bought for life | the same | none |
 *
 * A subscription that runs goes on under a purchase that renews nothing, and is replaced by one that does; access for
 * life needs none.
 */
export function boughtMembership(
  current: MembershipRow | undefined,
  purchase: Purchase,
  { newId, now }: { newId: string; now: number },
): MembershipRow {
  const planId = purchase.subject.kind === 'plan' ? purchase.subject.planId : null;
  const renewal = {
    subscription_id: purchase.periodDays === null ? null : purchase.subscriptionId,
    subscription_cancelled_at: null,
  };
  if (current === undefined || hasEnded(current, now)) {
    return {
      ...(current ?? firstRow(purchase, newId)),
      valid_from: now,
      valid_until: addDays(now, purchase.periodDays),
      pricing_plan_id: planId,
      lapse_announced_at: null,
      ...renewal,
    };
  }
  const running = { ...current, valid_from: Math.min(current.valid_from, now), lapse_announced_at: null };
  if (current.valid_until === null) return running;
  if (purchase.periodDays === null) {
    return { ...running, valid_until: null, pricing_plan_id: planId, ...renewal };
  }
  const extended = { ...running, valid_until: addDays(current.valid_until, purchase.periodDays) };
  if (isRenewing(current) && purchase.subscriptionId === null) return extended;
  return { ...extended, pricing_plan_id: planId, ...renewal };
}

/**
 * The window after a renewal was paid. It goes on from its end; when the renewal comes later than the whole period
 * would have lasted, from now: nobody pays for days that they could not use.
 */
export function renewedWindow(
  current: { valid_from: number; valid_until: number },
  periodDays: number,
  now: number,
): { valid_from: number; valid_until: number } {
  const end = current.valid_until + periodDays * DAY_MS;
  if (end > now) return { valid_from: current.valid_from, valid_until: end };
  return { valid_from: now, valid_until: now + periodDays * DAY_MS };
}

function addDays(start: number, days: number | null): number | null {
  return days === null ? null : Math.min(start + days * DAY_MS, END_OF_TIME);
}

function firstRow({ userId, subject }: Purchase, id: string) {
  return {
    id,
    user_id: userId,
    product_type: subject.kind === 'plan' ? ('community' as const) : ('digital_product' as const),
    community_id: subject.kind === 'plan' ? subject.communityId : null,
    product_id: subject.kind === 'product' ? subject.productId : null,
    external_order_id: null,
  };
}
