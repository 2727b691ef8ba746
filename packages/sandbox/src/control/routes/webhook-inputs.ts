import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';

const uuid = z.uuid().toLowerCase();
const externalId = z.string().min(1).max(255).optional();
const utmSource = z.string().min(1).max(100).optional();

export const purchaseInput = z
  .strictObject({
    userId: uuid,
    pricingPlanId: uuid.optional().describe('Plan to buy. Either a plan or a product.'),
    productId: uuid.optional().describe('Product to buy. Either a plan or a product.'),
    result: z
      .enum(['paid', 'declined'])
      .default('paid')
      .describe('Selects the first payment method with this result.'),
    method: z
      .string()
      .max(100)
      .optional()
      .describe('Payment method of the checkout page, such as card-9995. It must have the result.'),
    externalId: externalId.describe('As in buy-plan, for plans.'),
    utmSource: utmSource.describe('As in buy-plan.'),
  })
  .check(({ value, issues }) => {
    const wrong = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value });
    if ((value.pricingPlanId === undefined) === (value.productId === undefined))
      wrong('pricingPlanId', 'Name either a plan or a product.');
    if (value.externalId !== undefined && value.productId !== undefined)
      wrong('externalId', 'Purchases of products have no external id.');
  });

const amount = z.int().min(0).max(100_000_000).optional().describe('Without it, the present price.');
const order = {
  externalId: externalId.describe('As in buy-plan. Without it, null.'),
  utmSource: utmSource.describe('As in buy-plan. Without it, null.'),
};

/** An event to record about an object's current state. Nothing else changes. A field that the type doesn't use is an error. */
export const testEventInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('membership.created'), membershipId: uuid }),
  z.strictObject({ type: z.literal('membership.updated'), membershipId: uuid }),
  z.strictObject({
    type: z.literal('payment.success'),
    membershipId: uuid.describe('Membership of a community.'),
    pricingPlanId: uuid.describe('Plan of that community.'),
    amount,
    ...order,
  }),
  z.strictObject({
    type: z.literal('payment.failed'),
    userId: uuid,
    pricingPlanId: uuid,
    reason: z.enum(['card_declined', 'insufficient_funds', 'transfer_expired']).default('card_declined'),
    amount,
    ...order,
  }),
  z.strictObject({
    type: z.literal('digital.product.purchase'),
    membershipId: uuid.describe('Membership of a product.'),
    amount,
  }),
]);

export const eventFilter = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Events per page.'),
  after: uuid.optional().describe('Event after which the page begins: `next` of the page before.'),
  type: z.enum(WEBHOOK_EVENT_TYPES).optional().describe('Type of the events.'),
  status: z
    .enum(['pending', 'delivered', 'failed', 'none'])
    .optional()
    .describe('State of at least one delivery; none for events that no webhook receives.'),
  webhookId: uuid.optional().describe('Webhook with a delivery of the event.'),
  text: z
    .string()
    .max(200)
    .optional()
    .describe('Part of the body or of an endpoint’s URL, or the id of a delivery. Letter case is ignored.'),
});

/** Id that a running program chooses when it starts. */
export const consumerField = z
  .string()
  .regex(/^[A-Za-z0-9-]{8,64}$/, 'Use 8 to 64 letters, digits or hyphens.')
  .describe('Id that the program chooses at its start. The program that opened a listener last reads it.');

export const listenerInput = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'Use letters, digits, ".", "_" or "-".')
    .describe('Name by which the sandbox remembers what was forwarded.'),
  consumer: consumerField,
  communityId: uuid.optional().describe('Only deliveries to webhooks of this community.'),
  productId: uuid.optional().describe('Only deliveries to webhooks of this product.'),
  webhookId: uuid.optional().describe('Only deliveries to this webhook.'),
  events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1).max(20).optional().describe('Only these types.'),
  from: z
    .enum(['last', 'now', 'start'])
    .default('last')
    .describe(
      'last: continues where it ended; a new one begins now. now: skips what it missed. start: all events.',
    ),
});

export const forwardInput = z.strictObject({
  result: z
    .enum(['delivered', 'given-up', 'retry'])
    .describe('delivered and given-up: the delivery is done. retry: it stays in the list.'),
  url: z.url().max(2_048).describe('Address that it was forwarded to.'),
  durationMs: z.int().min(0),
  status: z.int().min(100).max(599).nullable().describe('Status of the response; null if there was none.'),
  failure: z.string().max(1_000).nullable().describe('Sentence about the failure; null if it succeeded.'),
  headers: z.record(z.string().max(200), z.string().max(4_000)).default({}),
  body: z
    .string()
    .max(8 * 1024)
    .default('')
    .describe('Start of the response’s body.'),
});
