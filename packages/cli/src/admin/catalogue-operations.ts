import { MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import { dropSchema, membershipGrantSchema, planResource, productResource } from '@latchkey/server/schemas';
import * as z from 'zod';
import { instant } from '../command-line/instant-value.js';
import {
  adminOperation,
  communityId,
  flagsOfResource,
  idOf,
  name,
  newId,
  ownerId,
  userId,
} from './admin-operation.js';

/** Operations on what a seller sells, and on memberships. */
export const CATALOGUE_OPERATIONS = [
  adminOperation({
    name: 'create-product',
    summary: 'Creates a seller’s product.',
    values: z.object({ ownerId, ...flagsOfResource(productResource), id: newId }),
    example: '--owner-id 5eed0000-0000-4000-8000-00000000000d --name Guide --slug guide --type ebook',
    run: (operator, product) => operator.createProduct(product),
    done: (product) => `Created the product ${product.name}.`,
  }),
  adminOperation({
    name: 'hand-over-product',
    summary: 'Gives a product to another seller, with its buyers and its sales.',
    values: z.object({ productId: idOf('Product’s id.'), ownerId: idOf('New seller’s user id.') }),
    example:
      '--product-id 5eed0000-0000-4000-8000-000000000002 --owner-id 5eed0000-0000-4000-8000-00000000000d',
    run: (operator, handOver) => operator.handOverProduct(handOver),
    done: (handOver) => `Gave the product ${handOver.productId} to the user ${handOver.ownerId}.`,
  }),
  adminOperation({
    name: 'create-pricing-plan',
    summary: 'Creates a pricing plan of a community.',
    // The extension keeps the schema's rule that only plans with a period renew.
    values: planResource.create.safeExtend({ ...flagsOfResource(planResource), communityId, id: newId }),
    example:
      '--community-id 5eed0000-0000-4000-8000-000000000001 --name Monthly --price-minor 900 --period-days 30 --renews',
    run: (operator, plan) => operator.createPricingPlan(plan),
    done: (plan) => `Created the pricing plan ${plan.name}.`,
  }),
  adminOperation({
    name: 'create-drop-slot',
    summary: 'Creates a drop that users can sign up for.',
    values: z.object({
      communityId,
      name,
      slots: dropSchema.shape.slots.meta({
        placeholder: 'number',
        defaultText: 'unlimited',
        description: 'Maximum number of signups.',
      }),
      startsAt: instant.meta({ placeholder: 'time', description: 'Start, in ISO-8601.' }),
      endsAt: instant.exactOptional().meta({
        placeholder: 'time',
        defaultText: 'no end',
        description: 'End, in ISO-8601: the first instant at which the drop is closed.',
      }),
      id: newId,
    }),
    example:
      '--community-id 5eed0000-0000-4000-8000-000000000001 --name Spring --slots 10 --starts-at 2027-03-01T12:00:00Z',
    run: (operator, slot) => operator.createDropSlot(slot),
    done: (slot) => `Created the drop ${slot.name}.`,
  }),
  adminOperation({
    name: 'grant-membership',
    summary: 'Grants a membership. An existing one for the same product gets the new period.',
    values: z.object({
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
    }),
    example:
      '--user-id 5eed0000-0000-4000-8000-00000000000a --product-type community --community-id 5eed0000-0000-4000-8000-000000000001',
    run: (operator, membership) => operator.grantMembership(membership),
    done: () => 'Granted the membership.',
  }),
  adminOperation({
    name: 'end-membership',
    summary: 'Ends a membership immediately.',
    values: z.object({ id: idOf('Membership’s id.') }),
    example: '--id 5eed0000-0000-4000-8000-0000000000aa',
    run: (operator, { id }) => operator.endMembership(id),
    done: ({ id }) => `Ended the membership ${id}.`,
  }),
];
