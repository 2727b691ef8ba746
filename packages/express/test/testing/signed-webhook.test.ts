import { webhookEventSchemas } from '@latchkey/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestService, exampleEvent, manualClock, signWebhook } from '../../src/testing/index.js';
import { verifyWebhook, type WebhookEventType } from '../../src/webhooks/index.js';
import { SECRET } from '../webhooks/endpoint.js';

const TYPES = Object.keys(webhookEventSchemas) as WebhookEventType[];

describe('exampleEvent', () => {
  it.each(TYPES)('creates an event %s exactly as the service sends it', (type) => {
    const event = exampleEvent(type);
    expect(webhookEventSchemas[type].strict.parse(event)).toEqual(event);
    expect(exampleEvent(type).id).not.toBe(event.id);
  });

  it('accepts values for any nested field and adds the others', () => {
    const event = exampleEvent('membership.updated', {
      membership: { isActive: false, validUntil: '2026-01-01T00:00:00.000Z' },
      externalOrderId: 'order-1',
    });
    expect(event.data).toMatchObject({
      membership: { isActive: false, productType: 'community' },
      externalOrderId: 'order-1',
    });
  });

  it('uses the time of the passed clock', () => {
    const clock = manualClock(Date.UTC(2030, 0, 1));
    clock.advance(1500);
    const event = exampleEvent('payment.failed', {}, { clock });
    expect(event.createdAt).toBe('2030-01-01T00:00:01.500Z');
    const signed = signWebhook({ type: 'garden.watered' }, { secret: SECRET, clock });
    expect(JSON.parse(signed.body)).toMatchObject({ createdAt: '2030-01-01T00:00:01.500Z' });
  });

  it('rejects an unknown field, and a value that the service never sends', () => {
    // @ts-expect-error: the type rejects it, too.
    expect(() => exampleEvent('payment.failed', { raeson: 'card_declined' })).toThrow(
      'Unrecognized key: "raeson"',
    );
    expect(() => exampleEvent('payment.failed', { paymentId: 'p-1' })).toThrow(
      'data.paymentId: not a lower-case UUID',
    );
  });
});

describe('signWebhook', () => {
  it.each([
    ['hex', false],
    ['hex', true],
    ['base64', false],
    ['base64', true],
    ['base64url', false],
    ['base64url', true],
  ] as const)('creates a valid signature in %s (with a prefix: %s)', (encoding, prefix) => {
    const event = exampleEvent('payment.success');
    const { body, headers } = signWebhook(event, { secret: SECRET, encoding, prefix });
    expect(headers['x-svc-signature']?.startsWith('sha256=')).toBe(prefix);
    expect(verifyWebhook(body, headers, SECRET)).toMatchObject({
      type: event.type,
      id: event.id,
      body: event,
    });
  });

  it.each([
    ['an object', { paid: 900 }, '{"paid":900}'],
    ['null', null, 'null'],
    ['text, unchanged', 'paid=900', 'paid=900'],
    ['nothing', undefined, ''],
  ])('signs a body without an envelope: %s', (_what, body, sent) => {
    const signed = signWebhook({ type: 'payment.success', id: 'evt-1', body }, { secret: SECRET });
    expect(signed.body).toBe(sent);
    expect(verifyWebhook(signed.body, signed.headers, SECRET)).toMatchObject({
      type: 'payment.success',
      id: 'evt-1',
    });
  });

  it('uses the header prefix of the service', () => {
    const serviceNames = { headerPrefix: 'X-Acme-' };
    const { body, headers } = signWebhook({ type: 'a' }, { secret: SECRET, serviceNames });
    expect(Object.keys(headers)).toEqual([
      'content-type',
      'x-acme-signature',
      'x-acme-event-type',
      'x-acme-event-id',
    ]);
    expect(verifyWebhook(body, headers, SECRET, { serviceNames }).type).toBe('a');
    expect(() => signWebhook({ type: 'a' }, { secret: SECRET, serviceNames: { headerPrefix: 'X' } })).toThrow(
      'serviceNames.headerPrefix: must be',
    );
  });

  it('adds id and time to an event of any type', () => {
    const { body, headers } = signWebhook(
      { type: 'garden.watered', data: { litres: 3 } },
      { secret: SECRET },
    );
    expect(verifyWebhook(body, headers, SECRET)).toMatchObject({
      type: 'garden.watered',
      body: { data: { litres: 3 } },
    });
  });

  it('rejects an invalid signing secret', () => {
    expect(() => signWebhook({ type: 'a' }, { secret: `${SECRET} ` })).toThrow('white space');
  });
});

describe('with NODE_ENV production', () => {
  const before = process.env.NODE_ENV;
  afterEach(() => {
    process.env.NODE_ENV = before;
  });

  it('all functions of the testing entry throw, because they bypass sign-in', () => {
    process.env.NODE_ENV = 'production';
    for (const use of [
      () => createTestService(),
      () => manualClock(),
      () => exampleEvent('payment.failed'),
      () => signWebhook({ type: 'a' }, { secret: SECRET }),
    ]) {
      expect(use).toThrow('It is for tests only');
    }
  });
});
