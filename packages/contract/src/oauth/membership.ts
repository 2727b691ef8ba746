import * as z from 'zod';
import { MEMBERSHIP_PRODUCT_TYPES } from '../shapes/product-type.js';
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
} from '../shapes/response-schemas.js';

/** An active membership in an OAuth response (spec, "Membership (OAuth view)"). */
export const membershipSchemas = objectSchemas({
  id: described(uuidSchemas, 'Equals `membershipId` of provisioning.'),
  productType: described(
    growingSetSchemas(MEMBERSHIP_PRODUCT_TYPES),
    'Kind of product that the membership gives access to.',
  ),
  isActive: described(
    { strict: z.literal(true), loose: booleanSchemas.loose },
    'Always true, because only active memberships are listed.',
  ),
  validFrom: described(timestampSchemas, 'Start of the current access period.'),
  validUntil: described(
    nullishSchemas(timestampSchemas),
    'End of the current access period. Absent or null for lifetime access.',
  ),
});

/** Response of `GET /oauth/memberships`: all active memberships, without pagination. */
export const membershipListSchemas = objectSchemas({
  memberships: described(listSchemas(membershipSchemas), 'All active memberships. Empty without access.'),
});

export type Membership = Emitted<typeof membershipSchemas>;
