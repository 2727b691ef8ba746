import { MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import { membershipGrantSchema } from '@latchkey/server/schemas';
import * as z from 'zod';
import { instant } from '../../command-line/instant-value.js';
import { adminOperation } from './admin-operation.js';
import { communityId, idOf, newId, userId } from './ids.js';

const newMembership = z.object({
  userId,
  productType: membershipGrantSchema.shape.productType.meta({
    placeholder: 'type',
    description: `Product type: ${MEMBERSHIP_PRODUCT_TYPES.join(', ')}.`,
  }),
  communityId: communityId
    .exactOptional()
    .meta({ description: 'Id of the community, for a community membership.' }),
  productId: idOf('Id of the product, for a product membership.').exactOptional(),
  validFrom: instant
    .exactOptional()
    .meta({ placeholder: 'time', defaultText: 'now', description: 'Start, in ISO-8601.' }),
  validUntil: instant.exactOptional().meta({
    placeholder: 'time',
    defaultText: 'lifetime',
    description: 'Expiry, in ISO-8601: the first instant without access.',
  }),
  id: newId,
});

export const grantMembership = adminOperation({
  name: 'grant-membership',
  summary: 'Grants a membership. An existing one for the same product gets the new period.',
  values: newMembership,
  example:
    '--user-id 5eed0000-0000-4000-8000-00000000000a --product-type community --community-id 5eed0000-0000-4000-8000-000000000001',
  run: async (operator, membership) => ({
    message: 'Granted the membership.',
    facts: await operator.grantMembership(membership),
  }),
});

export const endMembership = adminOperation({
  name: 'end-membership',
  summary: 'Ends a membership immediately.',
  values: z.object({ id: idOf('Membership’s id.') }),
  example: '--id 5eed0000-0000-4000-8000-0000000000aa',
  run: async (operator, { id }) => {
    await operator.endMembership(id);
    return { message: `Ended the membership ${id}.` };
  },
});
