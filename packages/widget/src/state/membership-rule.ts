import type { MembershipProductType } from '@latchkey/contract/constants';
import type { Membership } from './login-state.js';

/**
 * The memberships that open a gate. With several conditions, one membership must meet all of them. Without conditions,
 * any active membership opens the gate. Values are compared case-insensitively.
 *
 * Only `communityIds`, `productIds` and `pricingPlanIds` are limited to the site's own memberships. They need a session
 * with a backend. The other conditions accept memberships from any seller.
 */
export interface MembershipRule {
  /** Accepted product types. On their own, they accept members of any seller. */
  productTypes?: readonly MembershipProductType[];
  /** Accepted membership ids. */
  membershipIds?: readonly string[];
  /** Accepted communities of the site. */
  communityIds?: readonly string[];
  /** Accepted products of the site. */
  productIds?: readonly string[];
  /** Accepted pricing plans of the site. */
  pricingPlanIds?: readonly string[];
}

/** True if one of the active memberships meets the rule. */
export function opensFor(memberships: readonly Membership[], rule: MembershipRule): boolean {
  return memberships.some((membership) => {
    const { id, productType, isActive, isKnown } = membership;
    const { communityId, productId, pricingPlanId }: Partial<Membership> = isKnown ? membership : {};
    return (
      isActive &&
      accepts(rule.productTypes, productType) &&
      accepts(rule.membershipIds, id) &&
      accepts(rule.communityIds, communityId) &&
      accepts(rule.productIds, productId) &&
      accepts(rule.pricingPlanIds, pricingPlanId)
    );
  });
}

/** True if the list contains the value, or is empty. */
function accepts(list: readonly string[] = [], value: string | null | undefined): boolean {
  return list.length === 0 || list.some((one) => one.toLowerCase() === value?.toLowerCase());
}
