import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { newMembership } from '../memberships/membership-change.js';
import { type Membership, withTimeline } from '../memberships/membership-periods.js';
import { isRenewing } from '../memberships/membership-state.js';
import {
  addPurchase,
  addRenewal,
  addWindow,
  type Payer,
  type Period,
  type PeriodOrigin,
  type Placement,
  placePurchase,
  plannedOf,
} from '../memberships/timeline.js';
import type { OfferTerms } from './offer.js';

/** Purchase whose place is decided. */
export type PlacedPurchase = Placement & { kind: 'placed' };

/** Returns the place of a purchase in the membership that its buyer has; `undefined` without one. */
export function placeOffer(
  current: Membership | undefined,
  { subject, periodDays, renews }: OfferTerms,
  payer: Payer & { now: number },
): Placement {
  const renewingId = current !== undefined && isRenewing(current.row) ? current.row.subscription_id : null;
  const place = { ...payer, renewingId };
  // A product is bought for life, and has no plan. Callers know whether the buyer has it.
  const planId = subject.kind === 'plan' ? subject.planId : '';
  const timeline = subject.kind === 'plan' ? (current?.timeline ?? []) : [];
  return placePurchase(timeline, { planId, periodDays, renews }, place);
}

/**
 * Returns the membership after a purchase, whose place was decided before.
 *
 * @param current the buyer's membership of the same community or product.
 * @param bought.newId id of a first membership.
 */
export function boughtMembership(
  current: Membership | undefined,
  { subject, periodDays }: OfferTerms,
  bought: {
    userId: string;
    placed: PlacedPurchase;
    paymentId: string | null;
    subscriptionId: string | null;
    newId: string;
    now: number;
  },
): Membership {
  const { userId, placed, paymentId, subscriptionId, newId, now } = bought;
  const origin = { source: paymentId === null ? 'free' : 'payment', paymentId, subscriptionId } as const;
  const target =
    subject.kind === 'plan'
      ? { userId, communityId: subject.communityId }
      : { userId, productType: 'digital_product' as const, productId: subject.productId };
  const before = current ?? {
    row: { ...newMembership({ id: newId, ...target }), valid_from: now, valid_until: now },
    timeline: [],
  };
  const timeline =
    subject.kind === 'plan'
      ? addPurchase(before.timeline, placed, { ...origin, planId: subject.planId, periodDays })
      : addWindow(before.timeline, origin, { startsAt: now, endsAt: null });
  const subscription =
    subscriptionId !== null
      ? { subscription_id: subscriptionId, subscription_cancelled_at: null, renews_at: null }
      : placed.stopsSubscription
        ? { subscription_cancelled_at: now }
        : {};
  return { row: withTimeline({ ...before.row, ...subscription }, timeline, now), timeline };
}

/** Returns the membership after a renewal. */
export function renewedMembership(
  { row, timeline }: Membership,
  renewal: PeriodOrigin & { periodDays: number },
  now: number,
): Membership {
  const renewed = addRenewal(timeline, renewal, { renewsAt: row.renews_at ?? now, now });
  return { row: withTimeline(row, renewed, now), timeline: renewed };
}

/**
 * True if the buyer who is signed in gets a plan at once: one for days that costs more per day than the one that runs, and one for life
 * that costs as much as what then waits, or more. Prices in two currencies don't compare: the plan comes after what is planned.
 */
export async function startsAtOnce(
  db: Database,
  current: Membership | undefined,
  { amountMinor, currency, periodDays }: OfferTerms,
  now: number,
): Promise<boolean> {
  if (amountMinor === 0) return false;
  const planned = plannedOf(current?.timeline ?? [], now);
  if (periodDays !== null) {
    const running = planned.find(({ startsAt }) => startsAt <= now);
    const plan = running && (await priceOf(db, running));
    if (running === undefined) return false;
    if (plan === undefined || plan.price_minor === 0 || plan.period_days === null) return true;
    return plan.currency === currency && amountMinor * plan.period_days > plan.price_minor * periodDays;
  }
  let waits = 0;
  for (const period of planned) {
    const plan = period.endsAt === null ? undefined : await priceOf(db, period);
    if (period.endsAt === null || plan === undefined || plan.price_minor === 0) continue;
    if (plan.currency !== currency) return false;
    const left = period.endsAt - Math.max(now, period.startsAt);
    waits +=
      plan.period_days === null ? plan.price_minor : (plan.price_minor * left) / (plan.period_days * DAY_MS);
  }
  return waits <= amountMinor;
}

/** Returns the price of the plan of a period; `undefined` if it was free, or the plan was deleted. */
async function priceOf(db: Database, { planId, source }: Period) {
  if (source === 'free') return undefined;
  return await db
    .selectFrom('pricing_plans')
    .select(['price_minor', 'currency', 'period_days'])
    .where('id', '=', planId)
    .executeTakeFirst();
}

/** True if the user has had a free plan before. It is free once, also after its end. */
export async function hasHadFree(
  db: Database,
  userId: string,
  { subject, amountMinor }: OfferTerms,
): Promise<boolean> {
  if (amountMinor > 0 || subject.kind !== 'plan') return false;
  const order = await db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('community_id', '=', subject.communityId)
    .where('pricing_plan_id', '=', subject.planId)
    .where('status', '=', 'succeeded')
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}
