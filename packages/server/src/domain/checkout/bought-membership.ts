import { DAY_MS } from '@latchkey/contract/constants';
import { newMembership } from '../memberships/membership-change.js';
import { isExpired, isRenewing } from '../memberships/membership-state.js';
import type { MembershipRow } from '../memberships/memberships.js';
import type { OfferSubject } from './offer.js';

/** Last instant that a timestamp of the API can represent. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Purchase that a payment completes. */
export interface Purchase {
  userId: string;
  subject: OfferSubject;
  /** Null for lifetime access. */
  periodDays: number | null;
  /** Subscription that the payment started; null if nothing renews. */
  subscriptionId: string | null;
}

/**
 * Returns the membership after a purchase.
 *
 * | current membership | start | end |
 * |---|---|---|
 * | none, or expired | now | now plus the period |
 * | active or upcoming | unchanged, but now at the latest | current end plus the period |
 * | lifetime access, now or by this purchase | unchanged, but now at the latest | none |
 *
 * An active subscription continues after a purchase that does not renew. A purchase that renews replaces it. Lifetime
 * access has no subscription.
 *
 * The membership has the plan of the purchase. An active subscription, and lifetime access by a plan, keep their plan after a
 * purchase that neither renews nor is for life.
 *
 * @param current the buyer's membership of the same community or product.
 * @param newId id of a first membership.
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
  if (current === undefined || isExpired(current, now)) {
    return {
      ...(current ?? newMembership({ id: newId, ...ownedBy(purchase) })),
      valid_from: now,
      valid_until: addDays(now, purchase.periodDays),
      pricing_plan_id: planId,
      lapse_announced_at: null,
      ...renewal,
    };
  }
  const running = { ...current, valid_from: Math.min(current.valid_from, now), lapse_announced_at: null };
  if (purchase.periodDays === null) {
    return { ...running, valid_until: null, pricing_plan_id: planId, ...renewal };
  }
  if (current.valid_until === null) return { ...running, pricing_plan_id: current.pricing_plan_id ?? planId };
  const extended = { ...running, valid_until: addDays(current.valid_until, purchase.periodDays) };
  if (isRenewing(current) && purchase.subscriptionId === null) return extended;
  return { ...extended, pricing_plan_id: planId, ...renewal };
}

/** True if buying the offer starts a subscription. Lifetime access, which the buyer may already have, needs none. */
export function startsSubscription(
  current: Pick<MembershipRow, 'valid_until'> | undefined,
  { periodDays, renews }: { periodDays: number | null; renews: boolean },
): boolean {
  const isForLife = current !== undefined && current.valid_until === null;
  return renews && periodDays !== null && !isForLife;
}

/**
 * Returns the window after a renewal. It continues from the current end. If the renewal is late by a whole period or more,
 * it starts now, so that the buyer does not pay for past days.
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

function ownedBy({ userId, subject }: Purchase) {
  return subject.kind === 'plan'
    ? { userId, communityId: subject.communityId }
    : { userId, productType: 'digital_product' as const, productId: subject.productId };
}
