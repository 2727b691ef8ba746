import type { Membership } from '@latchkey/oauth';

/** Which membership opens something. Both given: one membership must satisfy both. None given: any membership does. */
export interface MembershipRule {
  /** Kinds, any of which will do: `community`, `digital_product`, `clipping_campaign`, `agency`. */
  productTypes?: readonly string[];
  /** Ids of memberships, any of which will do. */
  membershipIds?: readonly string[];
}

/** Whether one of the memberships satisfies the rule. The service lists active ones only. */
export function opensFor(memberships: readonly Membership[], rule: MembershipRule): boolean {
  const { productTypes = [], membershipIds = [] } = rule;
  return memberships.some(
    ({ id, productType, isActive }) =>
      isActive &&
      (productTypes.length === 0 || productTypes.includes(productType)) &&
      (membershipIds.length === 0 || membershipIds.includes(id)),
  );
}
