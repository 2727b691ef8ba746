import * as z from 'zod';
import { productSchemas } from '../oauth/product.js';
import { userIdentitySchemas } from '../oauth/userinfo.js';
import { MEMBERSHIP_PRODUCT_TYPES } from '../product-type.js';
import {
  booleanSchemas,
  described,
  growingSetSchemas,
  nullableSchemas,
  objectSchemas,
  type ResponseSchemas,
  sameInBoth,
  textSchemas,
  timestampSchemas,
  uuidSchemas,
} from '../response-schemas.js';
import { WEBHOOK_EVENT_TYPES } from './event-type.js';

/** A membership in an event. Unlike the OAuth list it also shows ended ones, so both fields are always there. */
const eventMembership = objectSchemas({
  id: described(uuidSchemas, 'The membership.'),
  productType: described(growingSetSchemas(MEMBERSHIP_PRODUCT_TYPES), 'What the membership is for.'),
  isActive: described(booleanSchemas, 'Whether it gave access when the event was written.'),
  validFrom: described(timestampSchemas, 'Start of the current access period.'),
  validUntil: described(nullableSchemas(timestampSchemas), 'Null for lifetime access.'),
});

const membershipChange = objectSchemas({
  membership: described(eventMembership, 'The membership as it is after the change.'),
  user: described(userIdentitySchemas, 'Its holder.'),
  communityId: described(nullableSchemas(uuidSchemas), 'Set for the membership of a community.'),
  productId: described(nullableSchemas(uuidSchemas), 'Set for a digital product.'),
  externalOrderId: described(
    nullableSchemas(textSchemas),
    'The order id of the newest provisioning of the membership; null when there was none.',
  ),
});

const paymentFields = {
  paymentId: described(uuidSchemas, 'The payment.'),
  user: described(userIdentitySchemas, 'The buyer.'),
  communityId: described(uuidSchemas, 'The community that the plan belongs to.'),
  pricingPlanId: described(uuidSchemas, 'The plan that was paid for.'),
  externalId: described(nullableSchemas(textSchemas), 'As sent to buy-plan.'),
  utmSource: described(nullableSchemas(textSchemas), 'As sent to buy-plan.'),
};

/**
 * Events by type. The spec shows neither envelope nor payloads ("Events", 6), so these are ours:
 * `{ id, type, createdAt, data }`, where `id` and `type` repeat the headers and `data` is made of what the OAuth
 * endpoints show: the user as userinfo does, memberships and products as their lists do. A receiver so keys on the
 * same `sub` and ids, whichever way it heard of them. Fields without a value are null, never left out.
 */
export const webhookEventSchemas = {
  'membership.created': eventSchemas('membership.created', membershipChange),
  'membership.updated': eventSchemas('membership.updated', membershipChange),
  'payment.success': eventSchemas(
    'payment.success',
    objectSchemas({
      ...paymentFields,
      membershipId: described(uuidSchemas, 'The membership that the payment gave or prolonged.'),
    }),
  ),
  'payment.failed': eventSchemas(
    'payment.failed',
    objectSchemas({ ...paymentFields, reason: described(textSchemas, 'Why it failed.') }),
  ),
  'digital.product.purchase': eventSchemas(
    'digital.product.purchase',
    objectSchemas({
      product: described(productSchemas, 'What was bought.'),
      membership: described(eventMembership, 'The access that it gives.'),
      user: described(userIdentitySchemas, 'The buyer.'),
    }),
  ),
};

/** Any of the five events, told apart by `type`. */
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

/** An event whose type may be newer than this package: what every delivery has, `data` unread. */
export const webhookEnvelopeSchemas = objectSchemas({
  id: uuidSchemas,
  type: growingSetSchemas(WEBHOOK_EVENT_TYPES),
  createdAt: timestampSchemas,
  data: sameInBoth(z.looseObject({})),
});

/** Headers of a delivery (spec, "Events", 3), with names in lower case as Node's `http` gives them. */
export const webhookHeaderSchemas = {
  strict: z.object({
    'x-svc-signature': z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'not a lower-case hex HMAC-SHA256')
      .describe('HMAC-SHA256 of the raw body in lower-case hex. Verify it before parsing.'),
    'x-svc-event-type': z.enum(WEBHOOK_EVENT_TYPES).describe('One of the five event types: switch on it.'),
    'x-svc-event-id': uuidSchemas.strict.describe(
      'The same for every delivery of the event and its retries: deduplicate on it.',
    ),
  }),
  loose: z.looseObject({
    'x-svc-signature': z.string().min(1),
    'x-svc-event-type': z.string().min(1),
    'x-svc-event-id': z.string().min(1),
  }),
};

/** An event as the service emits it. */
export type WebhookEvent = z.output<typeof anyWebhookEventSchemas.strict>;

/** One of the five events as a caller reads it. */
export type ReceivedWebhookEvent = z.output<typeof anyWebhookEventSchemas.loose>;

function eventSchemas<const Type extends string, E extends z.ZodType, T extends z.ZodType>(
  type: Type,
  data: ResponseSchemas<E, T>,
) {
  return objectSchemas({
    id: described(uuidSchemas, 'Id of the event, as in `X-Svc-Event-Id`: deduplicate on it.'),
    type: described(sameInBoth(z.literal(type)), 'As in `X-Svc-Event-Type`.'),
    createdAt: described(timestampSchemas, 'When it happened.'),
    data: described(data, 'What it tells.'),
  });
}
