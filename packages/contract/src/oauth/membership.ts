import * as z from 'zod';
import { MEMBERSHIP_PRODUCT_TYPES } from '../product-type.js';
import {
  booleanViews,
  described,
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
  id: described(uuidViews, 'The same value as `membershipId` of provisioning.'),
  productType: described(growingSetViews(MEMBERSHIP_PRODUCT_TYPES), 'What the membership is for.'),
  isActive: described(
    { exact: z.literal(true), tolerant: booleanViews.tolerant },
    'Always true here: only active memberships are listed.',
  ),
  validFrom: described(timestampViews, 'Start of the current access period.'),
  validUntil: described(nullishViews(timestampViews), 'Absent or null for lifetime access.'),
});

/** Answer of `GET /oauth/memberships`: complete, not paginated; empty means no access now. */
export const membershipListViews = objectViews({
  memberships: described(listViews(membershipViews), 'Complete; empty means no access now.'),
});

/** A membership as the service emits it. */
export type Membership = Emitted<typeof membershipViews>;

/** A membership as a caller reads it. */
export type ReceivedMembership = Received<typeof membershipViews>;
