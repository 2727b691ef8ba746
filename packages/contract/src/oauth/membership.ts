import * as z from 'zod';
import { MEMBERSHIP_PRODUCT_TYPES } from '../product-type.js';
import {
  booleanSchemas,
  described,
  type Emitted,
  growingSetSchemas,
  listSchemas,
  nullishSchemas,
  objectSchemas,
  timestampSchemas,
  uuidSchemas,
} from '../response-schemas.js';

/** A membership as its holder's clients see it (spec, "Membership (OAuth view)"). Only active ones are shown. */
export const membershipSchemas = objectSchemas({
  id: described(uuidSchemas, 'The same value as `membershipId` of provisioning.'),
  productType: described(growingSetSchemas(MEMBERSHIP_PRODUCT_TYPES), 'What the membership is for.'),
  isActive: described(
    { strict: z.literal(true), loose: booleanSchemas.loose },
    'Always true here: only active memberships are listed.',
  ),
  validFrom: described(timestampSchemas, 'Start of the current access period.'),
  validUntil: described(nullishSchemas(timestampSchemas), 'Absent or null for lifetime access.'),
});

/** Answer of `GET /oauth/memberships`: complete, not paginated; empty means no access now. */
export const membershipListSchemas = objectSchemas({
  memberships: described(listSchemas(membershipSchemas), 'Complete; empty means no access now.'),
});

/** A membership as the service emits it. */
export type Membership = Emitted<typeof membershipSchemas>;
