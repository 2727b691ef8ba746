import type { Membership } from '@latchkey/oauth';
import type { DirectoryEntry } from '../stores/kit-store.js';

/**
 * A running membership of the visitor, with what the site's membership directory knows about it. `id` is as the service
 * sent it; the directory's ids are in lower case.
 */
export interface SiteMembership extends Membership {
  /** True if the membership is in the directory, and so belongs to this site. */
  isKnown: boolean;
  /** Community of the membership. Null for a product, or if the membership isn't in the directory. */
  communityId: string | null;
  /** Product of the membership. Null for a community, or if the membership isn't in the directory. */
  productId: string | null;
  /** Pricing plan that the membership was bought with. Null if there is none, or if no source stated it. */
  pricingPlanId: string | null;
  /** Name of the membership for its owner, from the option `membershipNames`. Absent if the option doesn't contain it. */
  name?: string;
}

/** Names of plans, products and communities by id. The ids are in lower case. */
export type MembershipNames = ReadonlyMap<string, string>;

/** Adds the directory's fields, and the name, to a membership from the service. */
export function siteMembership(
  membership: Membership,
  entry: DirectoryEntry | undefined,
  names?: MembershipNames,
): SiteMembership {
  // Rules compare in lower case, but a custom directory may keep ids as it received them.
  const communityId = entry?.communityId?.toLowerCase() ?? null;
  const productId = entry?.productId?.toLowerCase() ?? null;
  const pricingPlanId = entry?.pricingPlanId?.toLowerCase() ?? null;
  const name = [pricingPlanId, productId, communityId]
    .map((id) => names?.get(id ?? ''))
    .find((each) => each !== undefined);
  return {
    ...membership,
    isKnown: entry !== undefined,
    communityId,
    productId,
    pricingPlanId,
    ...(name !== undefined && { name }),
  };
}

/** Returns a string that identifies the community or product, ignoring case, or undefined without either. */
export function sourceName({
  communityId,
  productId,
}: {
  communityId?: string | null | undefined;
  productId?: string | null | undefined;
}): string | undefined {
  if (typeof communityId === 'string') return `community ${communityId.toLowerCase()}`;
  return typeof productId === 'string' ? `product ${productId.toLowerCase()}` : undefined;
}
