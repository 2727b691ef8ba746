import type { Membership } from '@latchkey/oauth';
import type { DirectoryEntry } from '../stores/kit-store.js';

/**
 * A running membership of the visitor, with the content of the site's membership directory. `id` is written as the service
 * sent it. The ids of the directory are in lower case.
 */
export interface SiteMembership extends Membership {
  /** True if the directory contains the membership, so that it belongs to this site. */
  isKnown: boolean;
  /** Community of the membership. Null for a product, and for a membership that the directory does not contain. */
  communityId: string | null;
  /** Product of the membership. Null for a community, and for a membership that the directory does not contain. */
  productId: string | null;
  /** Pricing plan under which the membership was bought. Null if there is none, or if no source stated it. */
  pricingPlanId: string | null;
  /** Name of the membership for its owner, from the option `membershipNames`. Absent if the option does not contain it. */
  name?: string;
}

/** Names of plans, products and communities by id. The ids are in lower case. */
export type MembershipNames = ReadonlyMap<string, string>;

/** Adds the fields of the directory, and the name, to a membership of the service. */
export function siteMembership(
  membership: Membership,
  entry: DirectoryEntry | undefined,
  names?: MembershipNames,
): SiteMembership {
  // Rules compare in lower case. A directory of the app may keep ids as it received them.
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

/** Returns text that identifies the community or product, or undefined without either. Letter case is ignored. */
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
