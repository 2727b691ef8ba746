import * as z from 'zod';
import { MEMBERSHIP_PRODUCT_TYPES } from '../product-type.js';
import {
  booleanViews,
  type Emitted,
  growingSetViews,
  listViews,
  nullishViews,
  objectViews,
  type Received,
  timestampViews,
  uuidViews,
} from '../response-views.js';

/** A membership as its holder's clients see it (spec, "Membership (OAuth view)"). Only active ones are shown. */
export const membershipViews = objectViews({
  id: uuidViews,
  productType: growingSetViews(MEMBERSHIP_PRODUCT_TYPES),
  isActive: { exact: z.literal(true), tolerant: booleanViews.tolerant },
  validFrom: timestampViews,
  validUntil: nullishViews(timestampViews),
});

/** Answer of `GET /oauth/memberships`: complete, not paginated; empty means no access now. */
export const membershipListViews = objectViews({ memberships: listViews(membershipViews) });

/** A membership as the service emits it. */
export type Membership = Emitted<typeof membershipViews>;

/** A membership as a caller reads it. */
export type ReceivedMembership = Received<typeof membershipViews>;
