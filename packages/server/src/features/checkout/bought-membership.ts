import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { hasRows } from '../../platform/database/rows.js';
import { newMembership } from '../memberships/membership-change.js';
import { type Membership, withTimeline } from '../memberships/membership-periods.js';
import { isActive, isExpired, isRenewing } from '../memberships/membership-state.js';
import type { MembershipRow } from '../memberships/memberships.js';
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
import { costsMorePerDay, findPricingPlan } from '../plans/plan.queries.js';
import { type OfferSubject, type OfferTerms, subjectColumns } from './checkout.js';

export type PlacedPurchase = Placement & { kind: 'placed' };

export function placeOffer(
  current: Membership | undefined,
  { subject, periodDays, renews }: OfferTerms,
  payer: Payer & { now: number },
): Placement {
  const renewingId = current !== undefined && isRenewing(current.row) ? current.row.subscription_id : null;
  const place = { ...payer, renewingId };
  // A partner renews a provisioned membership. A stranger's subscription would reject its next order.
  const isPartners =
    current !== undefined &&
    current.row.external_order_id !== null &&
    !payer.isBuyer &&
    !isExpired(current.row, payer.now);
  // A product is bought for life, and has no plan. Callers know whether the buyer already has it.
  const planId = subject.kind === 'plan' ? subject.planId : '';
  const timeline = subject.kind === 'plan' ? (current?.timeline ?? []) : [];
  return placePurchase(timeline, { planId, periodDays, renews: renews && !isPartners }, place);
}

/** `current` is the membership of the same community or product, `bought.newId` the id for a first one. */
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
  const before = current ?? { row: newMembership({ id: newId, ...target, now }), timeline: [] };
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

export function renewedMembership(
  { row, timeline }: Membership,
  renewal: PeriodOrigin & { periodDays: number },
  now: number,
): Membership {
  const renewed = addRenewal(timeline, renewal, { renewsAt: row.renews_at ?? now, now });
  return { row: withTimeline(row, renewed, now), timeline: renewed };
}

/**
 * True if a signed-in buyer gets a plan at once. A plan for days does if it costs more per day than the running one; a
 * plan for life does if it costs at least as much as what it would put on hold. Prices in different currencies can't be
 * compared: the plan then comes after everything planned.
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
    if (plan === undefined || plan.priceMinor === 0 || plan.periodDays === null) return true;
    return costsMorePerDay({ priceMinor: amountMinor, currency, periodDays }, plan);
  }
  let waits = 0;
  for (const period of planned) {
    const plan = period.endsAt === null ? undefined : await priceOf(db, period);
    if (period.endsAt === null || plan === undefined || plan.priceMinor === 0) continue;
    if (plan.currency !== currency) return false;
    const left = period.endsAt - Math.max(now, period.startsAt);
    waits +=
      plan.periodDays === null ? plan.priceMinor : (plan.priceMinor * left) / (plan.periodDays * DAY_MS);
  }
  return waits <= amountMinor;
}

/** Returns the price of a period's plan; `undefined` if it was free, or the plan was deleted. */
async function priceOf(db: Database, { planId, source }: Period) {
  if (source === 'free') return undefined;
  return await findPricingPlan(db, planId ?? '');
}

/** True if the user has had this free plan before. It's free only once, even after it has ended. */
export async function hasHadFree(db: Database, userId: string, { subject, amountMinor }: OfferTerms) {
  if (amountMinor > 0 || subject.kind !== 'plan') return false;
  return await hasRows(purchasesOf(db, userId, subject));
}

/**
 * True if lifetime access to a product is active, or was bought, and so must not be sold again. Bought access starts
 * with its payment at the latest. If it looks upcoming, the payment's clock ran ahead, or `now` was read before a
 * concurrent payment. Access that a seller granted for later can be bought now.
 */
export async function isOwnedForLife(db: Database, membership: MembershipRow | undefined, now: number) {
  if (membership === undefined || membership.valid_until !== null) return false;
  if (isActive(membership, now)) return true;
  const { user_id, product_id, valid_from } = membership;
  return await hasRows(
    purchasesOf(db, user_id, { kind: 'product', productId: product_id ?? '' }).where(
      'created_at',
      '>=',
      valid_from,
    ),
  );
}

/** Includes payments that gave no access, since the payment provider has orders for them. */
export function purchasesOf(db: Database, userId: string, subject: OfferSubject) {
  const { community_id, pricing_plan_id, product_id } = subjectColumns(subject);
  const own = db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    // The index starts with the user and the community.
    .where('community_id', community_id === null ? 'is' : '=', community_id)
    .where('status', '=', 'succeeded');
  return product_id === null
    ? own.where('pricing_plan_id', '=', pricing_plan_id)
    : own.where('product_id', '=', product_id);
}
