import type { SiteMembership } from '../memberships/site-membership.js';
import type { CheckoutPlan } from './checkout-options.js';

type PlanIds = Pick<CheckoutPlan, 'id' | 'communityId'>;

/**
 * True if one of the running memberships already gives what the plan sells.
 *
 * | membership of the plan's community | plans on sale there | member |
 * |---|---|---|
 * | with this plan | any | yes |
 * | with another plan on sale | any | no: the visitor changes plans |
 * | with no plan, an unknown one, or one no longer on sale | this one only | yes |
 * | with no plan, an unknown one, or one no longer on sale | several | no: a granted membership need not include this plan |
 *
 * Memberships that the directory does not contain never count: they can belong to any seller.
 */
export function isMemberByPlan(
  plan: PlanIds,
  memberships: readonly SiteMembership[],
  plans: readonly PlanIds[],
): boolean {
  const isOnlyPlan = plans.filter(({ communityId }) => communityId === plan.communityId).length === 1;
  return membershipsOfCommunity(plan, memberships).some(
    ({ pricingPlanId }) => pricingPlanId === plan.id || isOnlyPlan,
  );
}

/**
 * True if the memberships show that the payment for a plan has arrived.
 *
 * The events of a payment may never state the plan. So the first membership of the community confirms the payment of a
 * new member. A visitor who was a member before needs the plan itself: the earlier membership proves nothing.
 */
export function isPaymentConfirmed(
  plan: PlanIds,
  memberships: readonly SiteMembership[],
  { plans, wasMember }: { plans: readonly PlanIds[]; wasMember: boolean },
): boolean {
  if (isMemberByPlan(plan, memberships, plans)) return true;
  if (wasMember) return false;
  return membershipsOfCommunity(plan, memberships).some(({ pricingPlanId }) => pricingPlanId === null);
}

/** Returns the memberships that the directory assigns to the plan's community. */
export function membershipsOfCommunity(
  { communityId }: PlanIds,
  memberships: readonly SiteMembership[],
): readonly SiteMembership[] {
  return memberships.filter((membership) => membership.isKnown && membership.communityId === communityId);
}
