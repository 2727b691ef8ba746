import * as z from 'zod';
import { productSchemas, userIdentitySchemas } from '../oauth/responses.js';
import {
  booleanSchemas,
  described,
  dispensableSchemas,
  growingSetSchemas,
  nullableSchemas,
  objectSchemas,
  type ResponseSchemas,
  sameInBoth,
  textSchemas,
  timestampSchemas,
  uuidSchemas,
} from '../shapes/response-schemas.js';
import { MEMBERSHIP_PRODUCT_TYPES, WEBHOOK_EVENT_TYPES } from '../shapes/values.js';

/** A membership in an event. Unlike the OAuth list, it can be expired, so all fields are always present. */
const eventMembership = objectSchemas({
  id: described(uuidSchemas, 'Id of the membership.'),
  productType: described(
    growingSetSchemas(MEMBERSHIP_PRODUCT_TYPES),
    'Kind of product that the membership gives access to.',
  ),
  isActive: described(booleanSchemas, 'True if the membership was active when the event was created.'),
  validFrom: described(timestampSchemas, 'Start of the current access period.'),
  validUntil: described(
    nullableSchemas(timestampSchemas),
    'End of the current access period. Null for lifetime access.',
  ),
});

const membershipChange = objectSchemas({
  membership: described(eventMembership, 'The membership after the change.'),
  user: described(userIdentitySchemas, 'The member.'),
  communityId: described(nullableSchemas(uuidSchemas), 'Set if the membership is for a community.'),
  productId: described(nullableSchemas(uuidSchemas), 'Set if the membership is for a digital product.'),
  pricingPlanId: described(
    nullableSchemas(uuidSchemas),
    'Plan of the current access period. Null without one, and for a digital product.',
  ),
  externalOrderId: described(
    nullableSchemas(textSchemas),
    'Order id of the latest provisioning of the membership. Null without one.',
  ),
});

/** The price of a payment. */
const priceFields = {
  amount: described(
    dispensableSchemas(sameInBoth(z.int().min(0))),
    "Price in the currency's minor unit, such as cents: 900 is 9.00 EUR.",
  ),
  currency: described(
    dispensableSchemas(sameInBoth(z.string().regex(/^[A-Z]{3}$/, 'not a currency code in upper case'))),
    'Currency code by ISO 4217, in upper case.',
  ),
};

const paymentFields = {
  paymentId: described(uuidSchemas, 'Id of the payment.'),
  user: described(userIdentitySchemas, 'The buyer.'),
  communityId: described(uuidSchemas, 'Community of the plan.'),
  pricingPlanId: described(uuidSchemas, 'The plan.'),
  ...priceFields,
  externalId: described(nullableSchemas(textSchemas), 'Value of the buy-plan request.'),
  utmSource: described(nullableSchemas(textSchemas), 'Value of the buy-plan request.'),
};

/**
 * Events by type. The spec defines neither envelope nor payloads ("Events", 6), so this project does:
 * `{ id, type, createdAt, data }`. `id` and `type` equal the headers. `data` contains users, memberships and products
 * in the OAuth endpoints' format, with the same ids. Fields without a value are null.
 */
export const webhookEventSchemas = {
  'membership.created': eventSchemas('membership.created', membershipChange),
  'membership.updated': eventSchemas('membership.updated', membershipChange),
  'payment.success': eventSchemas(
    'payment.success',
    objectSchemas({
      ...paymentFields,
      membershipId: described(uuidSchemas, 'Id of the membership that the payment created or extended.'),
    }),
  ),
  'payment.failed': eventSchemas(
    'payment.failed',
    objectSchemas({ ...paymentFields, reason: described(textSchemas, 'Reason of the failure.') }),
  ),
  'digital.product.purchase': eventSchemas(
    'digital.product.purchase',
    objectSchemas({
      product: described(productSchemas, 'The purchased product.'),
      membership: described(eventMembership, 'The membership that the purchase created.'),
      user: described(userIdentitySchemas, 'The buyer.'),
      ...priceFields,
    }),
  ),
};

/** Union of the five events, discriminated by `type`. */
export const anyWebhookEventSchemas = {
  strict: z.discriminatedUnion('type', [
    webhookEventSchemas['membership.created'].strict,
    webhookEventSchemas['membership.updated'].strict,
    webhookEventSchemas['payment.success'].strict,
    webhookEventSchemas['payment.failed'].strict,
    webhookEventSchemas['digital.product.purchase'].strict,
  ]),
  loose: z.discriminatedUnion('type', [
    webhookEventSchemas['membership.created'].loose,
    webhookEventSchemas['membership.updated'].loose,
    webhookEventSchemas['payment.success'].loose,
    webhookEventSchemas['payment.failed'].loose,
    webhookEventSchemas['digital.product.purchase'].loose,
  ]),
};

/** The envelope of any event, with `data` unparsed. Its type can be newer than this package. */
export const webhookEnvelopeSchemas = objectSchemas({
  id: uuidSchemas,
  type: growingSetSchemas(WEBHOOK_EVENT_TYPES),
  createdAt: timestampSchemas,
  data: sameInBoth(z.looseObject({})),
});

/** Headers of a delivery (spec, "Events", 3). Their names are in lower case, as in Node's `http`. */
export const webhookHeaderSchemas = {
  strict: z.object({
    'x-svc-signature': z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'not a lower-case hex HMAC-SHA256')
      .describe('HMAC-SHA256 of the raw body in lower-case hex. Verify it before parsing.'),
    'x-svc-event-type': z.enum(WEBHOOK_EVENT_TYPES).describe('The event type. Branch on it.'),
    'x-svc-event-id': uuidSchemas.strict.describe(
      'The event id, the same for all deliveries and retries. Deduplicate on it.',
    ),
  }),
  loose: z.looseObject({
    'x-svc-signature': z.string().min(1),
    'x-svc-event-type': z.string().min(1),
    'x-svc-event-id': z.string().min(1),
  }),
};

/** Type of an event as the service sends it. */
export type WebhookEvent = z.output<typeof anyWebhookEventSchemas.strict>;

/** Type of an event as a receiver parses it. */
export type ReceivedWebhookEvent = z.output<typeof anyWebhookEventSchemas.loose>;

function eventSchemas<const Type extends string, E extends z.ZodType, T extends z.ZodType>(
  type: Type,
  data: ResponseSchemas<E, T>,
) {
  return objectSchemas({
    id: described(uuidSchemas, 'Id of the event; equals `X-Svc-Event-Id`. Deduplicate on it.'),
    type: described(sameInBoth(z.literal(type)), 'Equals `X-Svc-Event-Type`.'),
    createdAt: described(timestampSchemas, 'Time of the event.'),
    data: described(data, 'Content of the event.'),
  });
}
