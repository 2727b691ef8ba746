import type { Membership } from '@latchkey/oauth';

/**
 * The memberships that open a gate. With both conditions, one membership must meet both. Without conditions, any active
 * membership opens the gate.
 */
export interface MembershipRule {
  /** Accepted product types: `community`, `digital_product`, `clipping_campaign`, `agency`. */
  productTypes?: readonly string[];
  /** Accepted membership ids. */
  membershipIds?: readonly string[];
}

/** True if one of the active memberships meets the rule. */
export function opensFor(memberships: readonly Membership[], rule: MembershipRule): boolean {
  const { productTypes = [], membershipIds = [] } = rule;
  return memberships.some(
    ({ id, productType, isActive }) =>
      isActive &&
      (productTypes.length === 0 || productTypes.includes(productType)) &&
      (membershipIds.length === 0 || membershipIds.includes(id)),
  );
}
