import type { Membership as ListedMembership } from '@latchkey/oauth';

/** An active membership. With a backend, it also contains the entry of the site's membership directory. */
export interface Membership extends ListedMembership {
  /** True if the directory contains the membership. Absent without a backend. The ids below count only if it is true. */
  isKnown?: boolean;
  /** Name of the membership for its owner, if the site's backend sends one. */
  name?: string;
  /** Community of the membership. */
  communityId?: string | null;
  /** Product of the membership. */
  productId?: string | null;
  /** Pricing plan of the membership. */
  pricingPlanId?: string | null;
}
