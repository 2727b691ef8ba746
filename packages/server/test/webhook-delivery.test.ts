import { anyWebhookEventSchemas, webhookHeaderSchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { scheduleRedelivery } from '../src/features/webhooks/log/deliveries.js';
import { membershipCreated, oneOfEach } from './emitted-events.js';
import { START } from './service-under-test.js';
import { hmacOf, idsOf, type Received, startReceiver } from './webhook-receiver.js';
import { it } from './webhook-world.js';

const { users, products } = sandboxScenario;
const ownerId = users.dana.id;
const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

describe('delivery', () => {
  it('posts the event as JSON with its type and id in the headers', {
    tags: ['webhook.event-type-header', 'webhook.event-id-header'],
  }, async ({ world }) => {
    const { id } = await world.register();
    const event = membershipCreated();
    await world.emit(event);
    await world.deliver();
    const [request] = world.receiver.received as [Received];
    expect(request).toMatchObject({ method: 'POST', path: '/webhooks' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(request.body.byteLength),
      'user-agent': 'Latchkey-Webhooks/1',
    });
    const headers = webhookHeaderSchemas.strict.parse(request.headers);
    const body = anyWebhookEventSchemas.strict.parse(JSON.parse(request.body.toString()));
    const delivery = await world.delivery(id);
    expect(headers).toMatchObject({
      'x-svc-event-type': 'membership.created',
      'x-svc-event-id': delivery.eventId,
    });
    expect(body).toEqual({
      id: delivery.eventId,
      type: 'membership.created',
      createdAt: '2026-06-12T14:05:00.000Z',
      data: event.data,
    });
    expect(request.body.toString()).toBe(delivery.body);
    expect(delivery).toMatchObject({ status: 'delivered', finishedAt: START, attemptCount: 1 });
    expect(delivery.attempts).toMatchObject([{ attemptedAt: START, statusCode: 204, failure: null }]);
  });

  it('is signed: HMAC-SHA256 of the raw body in lower-case hex, keyed with the secret as literal text', {
    tags: ['webhook.signature-header', 'webhook.signature-raw-body', 'webhook.secret-literal'],
  }, async ({ world }) => {
    const { secret } = await world.register();
    for (const event of oneOfEach) await world.emit(event);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(4);
    for (const request of world.receiver.received) {
      expect(request.headers['x-svc-signature']).toBe(hmacOf(request, secret));
      expect(request.headers['x-svc-signature']).toMatch(/^[0-9a-f]{64}$/);
      expect(request.headers['x-svc-signature']).not.toBe(hmacOf(request, Buffer.from(secret, 'hex')));
    }
  });

  it('goes to every active webhook of the community or product, whatever the type', {
    tags: ['webhook.all-types-delivered'],
  }, async ({ world }) => {
    const others = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
    const [second, product, switchedOff] = others;
    await world.register();
    await world.register(second.url);
    const { operator } = world.service.server;
    await operator.createWebhook({ ownerId, productId: products.brewGuide.id, url: product.url });
    const { id } = await world.register(switchedOff.url);
    await operator.change('webhooks', id, { isActive: false });
    for (const event of oneOfEach) await world.emit(event);
    await world.deliver();
    const typesAt = ({ received }: { received: readonly Received[] }) =>
      received.map(({ headers }) => headers['x-svc-event-type']).sort();
    const ofCommunity = ['membership.created', 'membership.updated', 'payment.failed', 'payment.success'];
    expect(typesAt(world.receiver)).toEqual(ofCommunity);
    expect(typesAt(second)).toEqual(ofCommunity);
    expect(typesAt(product)).toEqual(['digital.product.purchase']);
    expect(switchedOff.received).toEqual([]);
    expect(idsOf(second).sort()).toEqual(idsOf(world.receiver).sort());
    await Promise.all(others.map((receiver) => receiver.close()));
  });

  it.for([
    ['membership.created [webhook.membership-created]', oneOfEach[0]],
    ['membership.updated [webhook.membership-updated]', oneOfEach[1]],
    ['payment.success [webhook.payment-success]', oneOfEach[2]],
    ['payment.failed [webhook.payment-failed]', oneOfEach[3]],
    ['digital.product.purchase [webhook.digital-product-purchase]', oneOfEach[4]],
  ] as const)('is sent for %s', async ([, event], { world }) => {
    if (event === undefined) throw new Error('There are five.');
    const subject = event.productId === undefined ? {} : { productId: event.productId };
    if (event.productId === undefined) await world.register();
    else await world.service.server.operator.createWebhook({ ownerId, ...subject, url: world.receiver.url });
    await world.emit(event);
    await world.deliver();
    const [request] = world.receiver.received as [Received];
    expect(request.headers['x-svc-event-type']).toBe(event.type);
    expect(anyWebhookEventSchemas.strict.parse(JSON.parse(request.body.toString()))).toMatchObject({
      type: event.type,
      data: event.data,
    });
  });

  it('is not created for an event outside the contract, and the change is rolled back', async ({ world }) => {
    await world.register();
    const events = () => world.db.selectFrom('webhook_events').selectAll().execute();
    const before = await events();
    const event = membershipCreated();
    const wrong = { ...event, data: { ...event.data, surprise: true } } as unknown as typeof event;
    await expect(world.emit(wrong)).rejects.toThrow();
    expect(await events()).toEqual(before);
  });
});

describe('failed attempt', () => {
  it.for([
    [500, 'only 2xx counts'],
    [404, 'only 2xx counts'],
    [429, 'only 2xx counts'],
    [302, 'Redirects are not followed'],
    [307, 'Redirects are not followed'],
  ] as const)(
    'with status %i is recorded and retried with the same event',
    async ([status, words], { world }) => {
      const elsewhere = await startReceiver();
      const { id } = await world.register();
      await world.emit();
      world.receiver.answer((response) => response.writeHead(status, { Location: elsewhere.url }).end());
      await world.deliver();
      const first = await world.delivery(id);
      expect(first).toMatchObject({ status: 'pending', attemptCount: 1 });
      expect(first.attempts).toMatchObject([{ statusCode: status, failure: expect.stringContaining(words) }]);
      expect(await world.webhook(id)).toMatchObject({ failingSince: START, pausedAt: null });
      await world.deliver();
      expect(world.receiver.received).toHaveLength(1);
      world.service.clock.set(first.nextAttemptAt ?? 0);
      world.receiver.answer((response) => response.writeHead(200).end('ok'));
      await world.deliver();
      expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptCount: 2 });
      expect(await world.webhook(id)).toMatchObject({ failingSince: null });
      const [one, two] = world.receiver.received as [Received, Received];
      expect(two.headers['x-svc-event-id']).toBe(one.headers['x-svc-event-id']);
      expect(two.headers['x-svc-signature']).toBe(one.headers['x-svc-signature']);
      expect(two.body.equals(one.body)).toBe(true);
      expect(elsewhere.received).toEqual([]);
      await elsewhere.close();
    },
  );

  it.for([
    ['a closed port', 'Nothing accepts connections there (ECONNREFUSED)'],
    ['a connection that is closed', 'closed before the response was complete'],
    ['a response that is not HTTP', 'does not speak HTTP'],
    ['a response that switches protocols', 'closed before the response was complete'],
  ] as const)('with %s records the reason', async ([what, words], { world }) => {
    const { id } = await world.register();
    await world.emit();
    if (what === 'a closed port') await world.receiver.close();
    world.receiver.answer((response) => {
      if (what === 'a response that is not HTTP') response.socket?.end('SSH-2.0-hello\r\n');
      else if (what === 'a response that switches protocols')
        response.writeHead(101, { Connection: 'Upgrade', Upgrade: 'x' }).end();
      else response.socket?.destroy();
    });
    await world.deliver();
    expect((await world.delivery(id)).attempts).toMatchObject([
      { statusCode: null, failure: expect.stringContaining(words) },
    ]);
  });

  it('stops reading an endless response', async ({ world }) => {
    const { id } = await world.register();
    await world.emit();
    const cut = new Promise<void>((done) => {
      world.receiver.answer((response) => {
        response.writeHead(200);
        const pour = () => {
          while (response.write('x'.repeat(16_384)));
        };
        response.on('drain', pour);
        response.on('close', done);
        pour();
      });
    });
    await world.deliver();
    await cut;
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered' });
  });

  it('is the last one after twenty over about three days, and pauses no webhook by then', async ({
    world,
  }) => {
    const { id } = await world.register();
    await world.markAnswered(id);
    await world.emit();
    world.receiver.answer((response) => response.writeHead(503).end());
    for (;;) {
      await world.deliver();
      const { status, nextAttemptAt } = await world.delivery(id);
      if (status !== 'pending') break;
      world.service.clock.set(nextAttemptAt ?? Number.NaN);
    }
    const delivery = await world.delivery(id);
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 20, nextAttemptAt: null });
    expect(new Set(idsOf(world.receiver))).toEqual(new Set([delivery.eventId]));
    const lasted = (delivery.finishedAt ?? 0) - START;
    expect(lasted).toBeGreaterThan(2.2 * DAY_MS);
    expect(lasted).toBeLessThan(4 * DAY_MS);
    expect(await world.webhook(id)).toMatchObject({ pausedAt: null, failed: 1, pending: 0 });
    expect(
      world.service.log.some((line) => line.includes('Webhook delivery failed after its last attempt')),
    ).toBe(true);
  });
});

describe('manual resend', () => {
  it('is a new attempt at once, with the same event id and body, for a delivery in any state', async ({
    world,
  }) => {
    const { id } = await world.register();
    const { db } = world;
    await world.emit();
    await world.deliver();
    const first = await world.delivery(id);
    expect(await scheduleRedelivery(db, { id: first.id, ownerId }, START)).toEqual({ kind: 'scheduled' });
    world.receiver.answer((response) => response.writeHead(500).end());
    await world.deliver();
    expect(await world.delivery(id)).toMatchObject({ status: 'pending', attemptCount: 2 });
    expect(await scheduleRedelivery(db, { id: first.id, ownerId }, START)).toEqual({ kind: 'scheduled' });
    world.receiver.answer((response) => response.writeHead(200).end());
    await world.deliver();
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptCount: 3 });
    expect(idsOf(world.receiver)).toEqual(Array(3).fill(first.eventId));
    expect(new Set(world.receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  });
});
