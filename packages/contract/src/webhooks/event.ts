import * as z from 'zod';
import { productViews } from '../oauth/product.js';
import { userIdentityViews } from '../oauth/userinfo.js';
import { MEMBERSHIP_PRODUCT_TYPES } from '../product-type.js';
import {
  booleanViews,
  described,
  growingSetViews,
  nullableViews,
  objectViews,
  sameInBoth,
  textViews,
  timestampViews,
  uuidViews,
  type Views,
} from '../response-views.js';
import { WEBHOOK_EVENT_TYPES } from './event-type.js';

/** A membership in an event. Unlike the OAuth list it also shows ended ones, so both fields are always there. */
const eventMembership = objectViews({
  id: described(uuidViews, 'The membership.'),
  productType: described(growingSetViews(MEMBERSHIP_PRODUCT_TYPES), 'What the membership is for.'),
  isActive: described(booleanViews, 'Whether it gave access when the event was written.'),
  validFrom: described(timestampViews, 'Start of the current access period.'),
  validUntil: described(nullableViews(timestampViews), 'Null for lifetime access.'),
});

const membershipChange = objectViews({
  membership: described(eventMembership, 'The membership as it is after the change.'),
  user: described(userIdentityViews, 'Its holder.'),
  communityId: described(nullableViews(uuidViews), 'Set for the membership of a community.'),
  productId: described(nullableViews(uuidViews), 'Set for a digital product.'),
  externalOrderId: described(
    nullableViews(textViews),
    'The order id of the newest provisioning of the membership; null when there was none.',
  ),
});

const paymentFields = {
  paymentId: described(uuidViews, 'The payment.'),
  user: described(userIdentityViews, 'The buyer.'),
  communityId: described(uuidViews, 'The community that the plan belongs to.'),
  pricingPlanId: described(uuidViews, 'The plan that was paid for.'),
  externalId: described(nullableViews(textViews), 'As sent to buy-plan.'),
  utmSource: described(nullableViews(textViews), 'As sent to buy-plan.'),
};

/**
 * Events by type. The spec shows neither envelope nor payloads ("Events", 6), so these are ours:
 * `{ id, type, createdAt, data }`, where `id` and `type` repeat the headers and `data` is made of what the OAuth
 * endpoints show: the user as userinfo does, memberships and products as their lists do. A receiver so keys on the
 * same `sub` and ids, whichever way it heard of them. Fields without a value are null, never left out.
 */
export const webhookEventViews = {
  'membership.created': eventViews('membership.created', membershipChange),
  'membership.updated': eventViews('membership.updated', membershipChange),
  'payment.success': eventViews(
    'payment.success',
    objectViews({
      ...paymentFields,
      membershipId: described(uuidViews, 'The membership that the payment gave or prolonged.'),
    }),
  ),
  'payment.failed': eventViews(
    'payment.failed',
    objectViews({ ...paymentFields, reason: described(textViews, 'Why it failed.') }),
  ),
  'digital.product.purchase': eventViews(
    'digital.product.purchase',
    objectViews({
      product: described(productViews, 'What was bought.'),
      membership: described(eventMembership, 'The access that it gives.'),
      user: described(userIdentityViews, 'The buyer.'),
    }),
  ),
};

/** Any of the five events, told apart by `type`. */
export const anyWebhookEventViews = {
  exact: z.discriminatedUnion('type', [
    webhookEventViews['membership.created'].exact,
    webhookEventViews['membership.updated'].exact,
    webhookEventViews['payment.success'].exact,
    webhookEventViews['payment.failed'].exact,
    webhookEventViews['digital.product.purchase'].exact,
  ]),
  tolerant: z.discriminatedUnion('type', [
    webhookEventViews['membership.created'].tolerant,
    webhookEventViews['membership.updated'].tolerant,
    webhookEventViews['payment.success'].tolerant,
    webhookEventViews['payment.failed'].tolerant,
    webhookEventViews['digital.product.purchase'].tolerant,
  ]),
};

/** An event whose type may be newer than this package: what every delivery has, `data` unread. */
export const webhookEnvelopeViews = objectViews({
  id: uuidViews,
  type: growingSetViews(WEBHOOK_EVENT_TYPES),
  createdAt: timestampViews,
  data: sameInBoth(z.looseObject({})),
});

/** Headers of a delivery (spec, "Events", 3), with names in lower case as Node's `http` gives them. */
export const webhookHeaderViews = {
  exact: z.object({
    'x-svc-signature': z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'not a lower-case hex HMAC-SHA256')
      .describe('HMAC-SHA256 of the raw body in lower-case hex. Verify it before parsing.'),
    'x-svc-event-type': z.enum(WEBHOOK_EVENT_TYPES).describe('One of the five event types: switch on it.'),
    'x-svc-event-id': uuidViews.exact.describe(
      'The same for every delivery of the event and its retries: deduplicate on it.',
    ),
  }),
  tolerant: z.looseObject({
    'x-svc-signature': z.string().min(1),
    'x-svc-event-type': z.string().min(1),
    'x-svc-event-id': z.string().min(1),
  }),
};

/** An event as the service emits it. */
export type WebhookEvent = z.output<typeof anyWebhookEventViews.exact>;

/** One of the five events as a caller reads it. */
export type ReceivedWebhookEvent = z.output<typeof anyWebhookEventViews.tolerant>;

function eventViews<const Type extends string, E extends z.ZodType, T extends z.ZodType>(
  type: Type,
  data: Views<E, T>,
) {
  return objectViews({
    id: described(uuidViews, 'Id of the event, as in `X-Svc-Event-Id`: deduplicate on it.'),
    type: described(sameInBoth(z.literal(type)), 'As in `X-Svc-Event-Type`.'),
    createdAt: described(timestampViews, 'When it happened.'),
    data: described(data, 'What it tells.'),
  });
}
