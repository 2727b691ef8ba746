import { MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { END_BEFORE_START, endsAfterStart, instantField } from '../fields/fields.js';

/** Time in which a membership gives access. */
export const accessWindowSchema = z
  .object({
    /** First instant of access, in milliseconds since the epoch. */
    validFrom: instantField,
    /** First instant without access, in milliseconds since the epoch; null for lifetime access. */
    validUntil: instantField.nullable(),
  })
  .refine(({ validFrom, validUntil }) => endsAfterStart(validFrom, validUntil), {
    path: ['validUntil'],
    error: END_BEFORE_START,
  });

export type AccessWindow = z.output<typeof accessWindowSchema>;

/** Membership to grant. It is for a community, for a product, or of a type that names neither. */
export const membershipGrantSchema = accessWindowSchema
  .safeExtend({
    productType: z.enum(MEMBERSHIP_PRODUCT_TYPES, 'Choose a product type from the list.'),
    communityId: z.string().optional(),
    productId: z.string().optional(),
  })
  .refine(({ communityId, productId }) => communityId === undefined || productId === undefined, {
    path: ['productId'],
    error: 'A membership is for a community or for a product. Enter communityId or productId, not both.',
  });
