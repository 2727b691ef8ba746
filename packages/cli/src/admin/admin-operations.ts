import { MEMBERSHIP_PRODUCT_TYPES, SELLER_PRODUCT_TYPES } from '@latchkey/contract/constants';
import {
  dropSchema,
  membershipGrantSchema,
  PAYMENT_KINDS,
  pricingPlanSchema,
  productSchema,
  webhookSchema,
} from '@latchkey/server/schemas';
import * as z from 'zod';
import { instant } from '../command-line/instant-value.js';
import { type AdminOperation, adminOperation } from './operations/admin-operation.js';
import {
  createApiKey,
  grantProvisioning,
  revokeApiKey,
  withdrawProvisioning,
} from './operations/api-keys.js';
import {
  registerClient,
  replaceClientSecret,
  updateClient,
  verifyClient,
  withdrawVerification,
} from './operations/clients.js';
import { assignRole, createCommunity, setCommunityBrand, setMessengerBot } from './operations/communities.js';
import { communityId, idOf, newId, ownerId, userId } from './operations/ids.js';
import { name } from './operations/names.js';
import { createUser, deleteUser, endSessions, findUser, turnOffTwoStep } from './operations/users.js';

/** The operator accepts public addresses only. */
const webhook = webhookSchema({ allowLoopback: false });
const url = webhook.shape.url.meta({ placeholder: 'url', description: 'URL that receives the events.' });

// The extension keeps the schema's rule that a webhook is for either a community or a product.
const newWebhook = webhook.safeExtend({
  url,
  communityId: communityId
    .exactOptional()
    .meta({ description: 'Id of the community whose events it receives.' }),
  productId: idOf('Id of the product whose events it receives.').exactOptional(),
  ownerId,
  id: newId,
});

const createWebhook = adminOperation({
  name: 'create-webhook',
  summary: 'Registers a webhook for the events of a community or a product.',
  values: newWebhook,
  example:
    '--owner-id 5eed0000-0000-4000-8000-00000000000d --community-id 5eed0000-0000-4000-8000-000000000001 --url https://shop.example/hooks',
  run: async (operator, registration) => ({
    message: `Registered the webhook ${registration.url}.`,
    facts: await operator.createWebhook(registration),
  }),
});

const webhookChanges = z.object({
  id: idOf('Webhook’s id.'),
  ownerId,
  url: url.exactOptional().meta({ description: 'New URL that receives the events.' }),
  isActive: z
    .boolean()
    .exactOptional()
    .meta({ description: 'False pauses the webhook: it gets no new events, and pending deliveries wait.' }),
  rotateSecret: z
    .boolean()
    .default(false)
    .meta({ description: 'Replace the secret; the old one signs no further deliveries.' }),
});

const saveWebhook = adminOperation({
  name: 'save-webhook',
  summary: 'Changes a webhook, prints its secret and sends pending deliveries.',
  values: webhookChanges,
  example:
    '--id 5eed0000-0000-4000-8000-0000000000aa --owner-id 5eed0000-0000-4000-8000-00000000000d --is-active=false',
  run: async (operator, { id, ownerId: owner, ...changes }) => ({
    message: `Saved the webhook ${id}.`,
    facts: await operator.saveWebhook({ id, ownerId: owner }, changes),
  }),
});

const { priceMinor, currency, periodDays, renews, provider, description, benefits } = pricingPlanSchema.shape;

// The extension keeps the schema's rule that only plans with a period renew.
const newPricingPlan = pricingPlanSchema.safeExtend({
  name,
  priceMinor: priceMinor.meta({
    placeholder: 'number',
    description: 'Price in the currency’s minor unit: 900 is 9.00 EUR.',
  }),
  currency: currency.meta({ placeholder: 'code', description: 'ISO 4217 currency code.' }),
  periodDays: periodDays.meta({
    placeholder: 'days',
    defaultText: 'lifetime',
    description: 'Days of access for one payment.',
  }),
  renews: renews.meta({
    description: 'Renew by a subscription at the payment provider; needs --period-days.',
  }),
  provider: provider.meta({
    placeholder: 'name',
    description: `Payment page: ${PAYMENT_KINDS.join(' or ')}.`,
  }),
  description: description.meta({
    placeholder: 'text',
    defaultText: 'none',
    description: 'Sentence on the plan’s card, at most 200 characters.',
  }),
  benefits: benefits.meta({
    flag: 'benefit',
    placeholder: 'text',
    defaultText: 'none',
    description: 'What members get, in at most 80 characters; at most 8 times.',
  }),
  communityId,
  id: newId,
});

const createPricingPlan = adminOperation({
  name: 'create-pricing-plan',
  summary: 'Creates a pricing plan of a community.',
  values: newPricingPlan,
  example:
    '--community-id 5eed0000-0000-4000-8000-000000000001 --name Monthly --price-minor 900 --period-days 30 --renews',
  run: async (operator, plan) => ({
    message: `Created the pricing plan ${plan.name}.`,
    facts: await operator.createPricingPlan(plan),
  }),
});

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

const grantMembership = adminOperation({
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

const endMembership = adminOperation({
  name: 'end-membership',
  summary: 'Ends a membership immediately.',
  values: z.object({ id: idOf('Membership’s id.') }),
  example: '--id 5eed0000-0000-4000-8000-0000000000aa',
  run: async (operator, { id }) => {
    await operator.endMembership(id);
    return { message: `Ended the membership ${id}.` };
  },
});

const newProduct = z.object({
  ownerId,
  name,
  slug: productSchema.shape.slug.meta({
    placeholder: 'slug',
    description: 'Name in the storefront’s URL, unique among the seller’s products.',
  }),
  type: productSchema.shape.type.meta({
    placeholder: 'type',
    defaultText: 'none',
    description: `Product type: ${SELLER_PRODUCT_TYPES.join(', ')}.`,
  }),
  description: productSchema.shape.description.meta({
    placeholder: 'text',
    defaultText: 'none',
    description: 'Text on the product’s page, at most 1000 characters.',
  }),
  id: newId,
});

const createProduct = adminOperation({
  name: 'create-product',
  summary: 'Creates a seller’s product.',
  values: newProduct,
  example: '--owner-id 5eed0000-0000-4000-8000-00000000000d --name Guide --slug guide --type ebook',
  run: async (operator, product) => ({
    message: `Created the product ${product.name}.`,
    facts: await operator.createProduct(product),
  }),
});

const handOverProduct = adminOperation({
  name: 'hand-over-product',
  summary: 'Gives a product to another seller, with its buyers and its sales.',
  values: z.object({ productId: idOf('Product’s id.'), ownerId: idOf('New seller’s user id.') }),
  example:
    '--product-id 5eed0000-0000-4000-8000-000000000002 --owner-id 5eed0000-0000-4000-8000-00000000000d',
  run: async (operator, handOver) => {
    await operator.handOverProduct(handOver);
    return { message: `Gave the product ${handOver.productId} to the user ${handOver.ownerId}.` };
  },
});

const newDropSlot = z.object({
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
});

const createDropSlot = adminOperation({
  name: 'create-drop-slot',
  summary: 'Creates a drop that users can sign up for.',
  values: newDropSlot,
  example:
    '--community-id 5eed0000-0000-4000-8000-000000000001 --name Spring --slots 10 --starts-at 2027-03-01T12:00:00Z',
  run: async (operator, slot) => ({
    message: `Created the drop ${slot.name}.`,
    facts: await operator.createDropSlot(slot),
  }),
});

/** The commands of `latchkey admin`, in the order of the help: one for each call of the operator. */
export const ADMIN_OPERATIONS: readonly AdminOperation[] = [
  createUser,
  findUser,
  endSessions,
  turnOffTwoStep,
  deleteUser,
  createCommunity,
  setCommunityBrand,
  assignRole,
  setMessengerBot,
  createProduct,
  handOverProduct,
  createPricingPlan,
  createDropSlot,
  grantMembership,
  endMembership,
  registerClient,
  updateClient,
  replaceClientSecret,
  verifyClient,
  withdrawVerification,
  createApiKey,
  revokeApiKey,
  grantProvisioning,
  withdrawProvisioning,
  createWebhook,
  saveWebhook,
];
