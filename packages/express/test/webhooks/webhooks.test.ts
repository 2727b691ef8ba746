import { afterEach, describe, expect, it, vi } from 'vitest';
import { exampleEvent, manualClock, signWebhook } from '../../src/testing/index.js';
import {
  aDelivery,
  type Endpoint,
  type EndpointSetup,
  OLD_SECRET,
  SECRET,
  startEndpoint,
} from './endpoint.js';
import { sendRaw } from './send-raw.js';

const open: Endpoint[] = [];
async function start(setup?: EndpointSetup): Promise<Endpoint> {
  const endpoint = await startEndpoint(setup);
  open.push(endpoint);
  return endpoint;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const answerOf = async (response: Response | Promise<Response>) => {
  const settled = await response;
  return [settled.status, await settled.text()] as const;
};
const RECEIVED = [200, 'Received.'] as const;

describe('a logger that fails', () => {
  const broken = {
    throws: () => {
      throw new Error('disk full');
    },
    rejects: () => Promise.reject(new Error('disk full')),
  };
  it.each(['throws', 'rejects'] as const)(
    'and %s does not affect the response or the process',
    async (how) => {
      const unhandled = vi.fn();
      process.on('unhandledRejection', unhandled);
      const { url, deliver } = await start({
        options: { logger: { warn: broken[how], error: broken[how] } },
      });
      const unsigned = await fetch(url, { method: 'POST', body: '{}' });
      expect([400, 401]).toContain(unsigned.status);
      expect(await answerOf(deliver(aDelivery()))).toEqual(RECEIVED);
      process.off('unhandledRejection', unhandled);
      expect(unhandled).not.toHaveBeenCalled();
    },
  );
});

describe('an event', () => {
  it('reaches only the handler of its type, and the response is 200', {
    tags: ['webhook.filter-yourself', 'webhook.event-type-header'],
  }, async () => {
    const heard: string[] = [];
    const { deliver } = await start({
      options: {
        on: {
          'membership.created': ({ type, id }) => heard.push(`${type} ${id}`),
          'payment.success': ({ type }) => heard.push(type),
        },
        other: undefined,
      },
    });
    const event = exampleEvent('membership.created');
    expect(await answerOf(deliver(signWebhook(event, { secret: SECRET })))).toEqual(RECEIVED);
    expect(heard).toEqual([`membership.created ${event.id}`]);
  });

  it('without a handler is accepted and dropped', async () => {
    const { deliver, events } = await start({ options: { other: undefined } });
    expect(await answerOf(deliver(aDelivery()))).toEqual(RECEIVED);
    expect(events).toEqual([]);
  });

  it('of a newer type or with newer fields goes to `other` unchanged', {
    tags: ['versioning.ignore-unknown-fields'],
  }, async () => {
    const { deliver, events } = await start({ options: { on: { 'payment.failed': () => {} } } });
    const event = {
      id: 'e-1',
      type: 'garden.watered',
      createdAt: '2026-01-01T00:00:00Z',
      data: { litres: 3 },
      by: 'rain',
    };
    await deliver(signWebhook(event, { secret: SECRET }));
    expect(events).toMatchObject([{ type: 'garden.watered', id: 'e-1', body: event }]);
  });

  it('is passed with its signed bytes, its time and a signal', async () => {
    const clock = manualClock();
    const { deliver, events, contexts } = await start({ options: { clock } });
    const delivery = aDelivery();
    await deliver(delivery);
    expect(events[0]?.raw.toString()).toBe(delivery.body);
    expect(events[0]?.receivedAt).toBe(clock.now());
    expect(contexts[0]?.signal.aborted).toBe(false);
  });

  it('with a key `__proto__` does not change the prototype of other objects', async () => {
    const { deliver, events } = await start();
    const body =
      '{"id":"e-1","type":"garden.watered","createdAt":"2026-01-01T00:00:00Z","data":{"__proto__":{"isAdmin":true}},"__proto__":{"isAdmin":true}}';
    const { headers } = signWebhook({ type: 'garden.watered', id: 'e-1' }, { secret: SECRET });
    const { createHmac } = await import('node:crypto');
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    expect((await deliver({ method: 'POST', body, headers }, { 'x-svc-signature': signature })).status).toBe(
      200,
    );
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    expect(Reflect.get(Object(events[0]?.body), 'data')).toBeDefined();
  });
});

describe('an invalid delivery', () => {
  const attacks: [string, Record<string, string | undefined>, number][] = [
    ['without a signature', { 'x-svc-signature': undefined }, 401],
    ['with a signature of another length', { 'x-svc-signature': 'ab'.repeat(31) }, 401],
    ['with a wrong signature', { 'x-svc-signature': 'ab'.repeat(32) }, 401],
    ['with a signature that cannot be in a URL', { 'x-svc-signature': '%00'.repeat(20) }, 401],
    ['without an event type', { 'x-svc-event-type': undefined }, 400],
    ['without an event id', { 'x-svc-event-id': undefined }, 400],
    ['with another event type than its body', { 'x-svc-event-type': 'payment.success' }, 400],
    ['with another event id than its body', { 'x-svc-event-id': 'e-new' }, 400],
  ];
  it.each(attacks)(
    '%s is rejected; the response is constant and the log has the reason',
    async (_what, changes, status) => {
      const { deliver, events, log } = await start();
      const [got, text] = await answerOf(deliver(aDelivery({ type: 'payment.failed' }), changes));
      expect([got, text]).toEqual([status, status === 401 ? 'Not signed.' : 'Not a webhook delivery.']);
      expect(events).toEqual([]);
      expect(log).toHaveLength(1);
      expect(log[0]?.message).toMatch(/^A webhook was rejected\. .{20}/);
      expect(JSON.stringify(log)).not.toContain(SECRET);
    },
  );

  it('with an altered body is rejected', { tags: ['webhook.signature-raw-body'] }, async () => {
    const { deliver, events } = await start();
    const delivery = aDelivery({ data: { amount: 1 } });
    expect((await deliver({ ...delivery, body: delivery.body.replace('1', '2') })).status).toBe(401);
    expect(events).toEqual([]);
  });

  it('signed with the previous secret is rejected once it is removed', async () => {
    const delivery = signWebhook({ type: 'a' }, { secret: OLD_SECRET });
    const both = await start({ options: { secrets: [SECRET, OLD_SECRET] } });
    expect((await both.deliver(delivery)).status).toBe(200);
    const one = await start();
    expect((await one.deliver(delivery)).status).toBe(401);
  });

  it('with two signature headers is rejected, even if one is right', async () => {
    const { url, events } = await start();
    const delivery = aDelivery();
    const signatures = [delivery.headers['x-svc-signature'] ?? '', 'ab'.repeat(32)];
    for (const order of [signatures, signatures.toReversed()]) {
      const status = await sendRaw(url, { ...delivery.headers, 'x-svc-signature': order }, [delivery.body]);
      expect(status).toBe(401);
    }
    expect(events).toEqual([]);
  });

  it.each(['x-svc-event-id', 'x-svc-event-type'])('with two headers %s is rejected', async (name) => {
    const { url, events, log } = await start();
    const { headers, body } = aDelivery();
    expect(await sendRaw(url, { ...headers, [name]: [headers[name] ?? '', 'e-2'] }, [body])).toBe(400);
    expect(events).toEqual([]);
    expect(log[0]?.details).toEqual({ code: 'header_malformed' });
  });

  it('cannot inject lines into the log', async () => {
    const { deliver, log } = await start();
    await deliver(aDelivery(), { 'x-svc-event-id': 'e-1 [latchkey] all is well', 'x-svc-signature': 'x' });
    await deliver(aDelivery({ type: 'payment.failed' }), { 'x-svc-event-id': 'e-1 [latchkey] all is well' });
    expect(JSON.stringify(log)).not.toContain('all is well');
  });

  it('in a flood is logged at most every ten seconds for each kind', async () => {
    const clock = manualClock();
    const { deliver, log } = await start({ options: { clock } });
    const flood = (changes: Record<string, string | undefined>) =>
      Promise.all(Array.from({ length: 50 }, () => deliver(aDelivery(), changes)));
    await flood({ 'x-svc-signature': undefined });
    await flood({ 'x-svc-signature': 'ab'.repeat(32) });
    expect(log.map(({ details }) => details?.code)).toEqual(['signature_missing', 'signature_mismatch']);
    clock.advance(10_000);
    await deliver(aDelivery(), { 'x-svc-signature': undefined });
    expect(log[2]?.details).toEqual({ code: 'signature_missing', suppressedSinceLast: 49 });
  });

  it.each(['GET', 'PUT', 'DELETE', 'HEAD'])(
    'with the method %s and no signature receives 401',
    async (method) => {
      const { url } = await start({ mount: (app, endpoint) => app.use('/webhooks', endpoint) });
      expect((await fetch(url, { method })).status).toBe(401);
    },
  );
});
