import * as z from 'zod';
import { productViews } from '../oauth/product.js';
import { userIdentityViews } from '../oauth/userinfo.js';
import { MEMBERSHIP_PRODUCT_TYPES } from '../product-type.js';
import {
  booleanViews,
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
  id: uuidViews,
  productType: growingSetViews(MEMBERSHIP_PRODUCT_TYPES),
  isActive: booleanViews,
  validFrom: timestampViews,
  validUntil: nullableViews(timestampViews),
});

const membershipChange = objectViews({
  membership: eventMembership,
  user: userIdentityViews,
  /** What the membership is for: one of the two is set for communities and digital products. */
  communityId: nullableViews(uuidViews),
  productId: nullableViews(uuidViews),
  /** The order id of the provisioning behind the change; null when there was none. */
  externalOrderId: nullableViews(textViews),
});

const paymentFields = {
  paymentId: uuidViews,
  user: userIdentityViews,
  communityId: uuidViews,
  pricingPlanId: uuidViews,
  /** The `externalId` and `utmSource` sent to buy-plan. */
  externalId: nullableViews(textViews),
  utmSource: nullableViews(textViews),
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
    objectViews({ ...paymentFields, membershipId: uuidViews }),
  ),
  'payment.failed': eventViews('payment.failed', objectViews({ ...paymentFields, reason: textViews })),
  'digital.product.purchase': eventViews(
    'digital.product.purchase',
    objectViews({ product: productViews, membership: eventMembership, user: userIdentityViews }),
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
    'x-svc-signature': z.string().regex(/^[0-9a-f]{64}$/, 'not a lower-case hex HMAC-SHA256'),
    'x-svc-event-type': z.enum(WEBHOOK_EVENT_TYPES),
    'x-svc-event-id': uuidViews.exact,
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
  return objectViews({ id: uuidViews, type: sameInBoth(z.literal(type)), createdAt: timestampViews, data });
}
