import {
  anyWebhookEventSchemas,
  type WebhookEvent,
  webhookEnvelopeSchemas,
  webhookEventSchemas,
  webhookHeaderSchemas,
} from '@latchkey/contract';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { accepts, rejectedPaths, without } from './schema-checks.js';

const id = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90';
const envelope = { id, createdAt: '2026-01-31T09:30:15.000Z' };
const user = { sub: id, email: null };
const membership = {
  id,
  productType: 'community',
  isActive: false,
  validFrom: '2026-01-01T00:00:00.000Z',
  validUntil: null,
} as const;
const change = {
  membership,
  user,
  communityId: id,
  productId: null,
  pricingPlanId: id,
  externalOrderId: null,
};
const payment = {
  paymentId: id,
  user,
  communityId: id,
  pricingPlanId: id,
  amount: 900,
  currency: 'EUR',
  externalId: 'buyer-7',
  utmSource: null,
};
const product = { id, name: 'Roasting at home', slug: 'roasting-at-home', type: 'ebook' } as const;

const EVENTS: WebhookEvent[] = [
  { ...envelope, type: 'membership.created', data: change },
  { ...envelope, type: 'membership.updated', data: change },
  { ...envelope, type: 'payment.success', data: { ...payment, membershipId: id } },
  { ...envelope, type: 'payment.failed', data: { ...payment, reason: 'The card was declined.' } },
  {
    ...envelope,
    type: 'digital.product.purchase',
    data: { product, membership, user, amount: 1900, currency: 'EUR' },
  },
];

describe('webhook events', () => {
  it('have five types', {
    tags: [
      'webhook.membership-created',
      'webhook.membership-updated',
      'webhook.payment-success',
      'webhook.payment-failed',
      'webhook.digital-product-purchase',
    ],
  }, () => {
    expect(EVENTS.map((event) => event.type)).toEqual([...WEBHOOK_EVENT_TYPES]);
    expect(Object.keys(webhookEventSchemas)).toEqual([...WEBHOOK_EVENT_TYPES]);
  });

  it.each(EVENTS)('of type $type have a strict schema, without missing or unknown fields', (event) => {
    const { strict } = webhookEventSchemas[event.type];
    expect(rejectedPaths(strict, event)).toEqual([]);
    expect(rejectedPaths(anyWebhookEventSchemas.strict, event)).toEqual([]);
    for (const key of Object.keys(event)) {
      expect(rejectedPaths(strict, without(event, key))).toEqual([key]);
    }
    for (const key of Object.keys(event.data)) {
      expect(rejectedPaths(strict, { ...event, data: without(event.data, key) })).toEqual([`data.${key}`]);
    }
    expect(accepts(strict, { ...event, attempt: 1 })).toBe(false);
  });

  it.each(EVENTS)(
    'of type $type can contain unknown fields for a receiver',
    { tags: ['versioning.ignore-unknown-fields'] },
    (event) => {
      const grown = { ...event, region: 'eu', data: { ...event.data, note: 'new' } };
      expect(anyWebhookEventSchemas.loose.parse(grown)).toEqual(grown);
    },
  );

  it('of a service without plan, amount and currency are accepted by a receiver', () => {
    for (const event of EVENTS.filter(({ type }) => type.startsWith('membership.'))) {
      const older = { ...event, data: without(event.data, 'pricingPlanId') };
      expect(anyWebhookEventSchemas.loose.parse(older)).toEqual(older);
    }
    for (const event of EVENTS.filter(({ data }) => 'amount' in data)) {
      const older = { ...event, data: without(without(event.data, 'amount'), 'currency') };
      expect(anyWebhookEventSchemas.loose.parse(older)).toEqual(older);
      expect(rejectedPaths(anyWebhookEventSchemas.strict, older)).toEqual(['data.amount', 'data.currency']);
    }
  });

  it.each([
    ['a negative amount', { amount: -1 }, 'data.amount'],
    ['an amount with decimals', { amount: 9.5 }, 'data.amount'],
    ['an amount as text', { amount: '900' }, 'data.amount'],
    ['a currency in lower case', { currency: 'eur' }, 'data.currency'],
    ['the sign of a currency', { currency: '€' }, 'data.currency'],
  ])('never contain %s', (_name, wrong, path) => {
    const event = { ...envelope, type: 'payment.success', data: { ...payment, membershipId: id, ...wrong } };
    expect(rejectedPaths(anyWebhookEventSchemas.strict, event)).toEqual([path]);
  });

  it.each([
    [{ amount: 9.5 }, 'amount'],
    [{ amount: '9.00' }, 'amount'],
    [{ currency: 'eur' }, 'currency'],
  ])('with a price in another form, %o, count as events without it for a receiver', (price, name) => {
    const data = { ...payment, membershipId: id };
    const event = { ...envelope, type: 'payment.success', data: { ...data, ...price } };
    const read = anyWebhookEventSchemas.loose.parse(event);
    expect(read.data).toEqual(without(data, name));
  });

  it('do not match the schema of another type', () => {
    for (const [index, event] of EVENTS.entries()) {
      const other = EVENTS[(index + 2) % EVENTS.length];
      expect(accepts(anyWebhookEventSchemas.strict, { ...event, data: other?.data })).toBe(false);
    }
  });

  it('of an unknown type match the envelope schema', () => {
    const unknown = { ...envelope, type: 'refund.created', data: { refundId: id } };
    expect(webhookEnvelopeSchemas.loose.parse(unknown)).toEqual(unknown);
    expect(accepts(anyWebhookEventSchemas.loose, unknown)).toBe(false);
    expect(accepts(webhookEnvelopeSchemas.strict, unknown)).toBe(false);
  });
});

describe('webhook headers', () => {
  const headers = {
    'x-svc-signature': 'ab'.repeat(32),
    'x-svc-event-type': 'payment.success',
    'x-svc-event-id': id,
  };

  it('are signature, event type and event id', {
    tags: ['webhook.signature-header', 'webhook.event-type-header', 'webhook.event-id-header'],
  }, () => {
    expect(Object.values(WEBHOOK_HEADERS).map((name) => name.toLowerCase())).toEqual(Object.keys(headers));
    expect(rejectedPaths(webhookHeaderSchemas.strict, headers)).toEqual([]);
    for (const key of Object.keys(headers)) {
      expect(rejectedPaths(webhookHeaderSchemas.strict, without(headers, key))).toEqual([key]);
      expect(rejectedPaths(webhookHeaderSchemas.loose, without(headers, key))).toEqual([key]);
    }
  });

  it('have a signature in lower-case hex, and can be sent with others', () => {
    expect(
      rejectedPaths(webhookHeaderSchemas.strict, { ...headers, 'x-svc-signature': 'AB'.repeat(32) }),
    ).toEqual(['x-svc-signature']);
    expect(accepts(webhookHeaderSchemas.strict, { ...headers, 'content-type': 'application/json' })).toBe(
      true,
    );
  });
});
