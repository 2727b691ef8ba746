import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import express, { type RequestHandler } from 'express';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exampleEvent, manualClock, signWebhook } from '../../src/testing/index.js';
import { keepRawBody } from '../../src/webhooks/index.js';
import {
  aDelivery,
  type Endpoint,
  type EndpointSetup,
  OLD_SECRET,
  SECRET,
  startEndpoint,
} from './endpoint.js';

// Its types differ from those of Express 5. The functions used here are the same in both versions.
const require = createRequire(import.meta.url);
const express4: typeof express = require('express4');

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
  it('reaches only the handler of its type, and the response is 200 [webhook.filter-yourself] [webhook.event-type-header]', async () => {
    const heard: string[] = [];
    const { deliver } = await start({
      options: {
        on: {
          'membership.created': ({ type, data }) => heard.push(`${type} ${data.user.sub}`),
          'payment.success': ({ type }) => heard.push(type),
        },
        other: undefined,
      },
    });
    const event = exampleEvent('membership.created', {
      user: { sub: 'ad000000-0000-4000-8000-00000000000a' },
    });
    expect(await answerOf(deliver(signWebhook(event, { secret: SECRET })))).toEqual(RECEIVED);
    expect(heard).toEqual(['membership.created ad000000-0000-4000-8000-00000000000a']);
  });

  it('without a handler is accepted and dropped', async () => {
    const { deliver, events } = await start({ options: { other: undefined } });
    expect(await answerOf(deliver(aDelivery()))).toEqual(RECEIVED);
    expect(events).toEqual([]);
  });

  it('of a newer type or with newer fields goes to `other` unchanged [versioning.ignore-unknown-fields]', async () => {
    const { deliver, events } = await start({ options: { on: { 'payment.failed': () => {} } } });
    const event = {
      id: 'e-1',
      type: 'garden.watered',
      createdAt: '2026-01-01T00:00:00Z',
      data: { litres: 3 },
      by: 'rain',
    };
    await deliver(signWebhook(event, { secret: SECRET }));
    expect(events).toEqual([event]);
  });

  it('of a known type that cannot be parsed is delivered again, and the log names the field', async () => {
    const { deliver, events, log } = await start();
    const delivery = aDelivery({ type: 'payment.failed', data: { reason: 'card_declined' } });
    expect((await deliver(delivery)).status).toBe(500);
    expect(events).toEqual([]);
    expect(log[0]?.message).toContain('data.paymentId');
  });

  it('is passed with its raw body and a signal', async () => {
    const { deliver, contexts } = await start();
    const delivery = aDelivery();
    await deliver(delivery);
    expect(contexts[0]?.rawBody.toString()).toBe(delivery.body);
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
    expect(Reflect.get(events[0] ?? {}, 'isAdmin')).toBeUndefined();
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
    ['with another event type', { 'x-svc-event-type': 'payment.success' }, 400],
    ['replayed under a new event id', { 'x-svc-event-id': 'e-new' }, 400],
  ];
  it.each(attacks)(
    '%s is rejected; the response is constant and the log has the reason',
    async (_what, changes, status) => {
      const { deliver, events, log } = await start();
      const [got, text] = await answerOf(deliver(aDelivery(), changes));
      expect([got, text]).toEqual([status, status === 401 ? 'Not signed.' : 'Not a webhook delivery.']);
      expect(events).toEqual([]);
      expect(log).toHaveLength(1);
      expect(log[0]?.message).toMatch(/^A webhook was rejected\. .{20}/);
      expect(JSON.stringify(log)).not.toContain(SECRET);
    },
  );

  it('with an altered body is rejected [webhook.signature-raw-body]', async () => {
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
      const status = await send(url, { ...delivery.headers, 'x-svc-signature': order }, [delivery.body]);
      expect(status).toBe(401);
    }
    expect(events).toEqual([]);
  });

  it('with two event ids is rejected, even if one is right', async () => {
    const { url } = await start();
    const { headers, body } = aDelivery();
    expect(
      await send(url, { ...headers, 'x-svc-event-id': [headers['x-svc-event-id'] ?? '', 'e-2'] }, [body]),
    ).toBe(400);
  });

  it('cannot inject lines into the log', async () => {
    const { deliver, log } = await start();
    await deliver(aDelivery(), { 'x-svc-event-id': 'e-1 [latchkey] all is well', 'x-svc-signature': 'x' });
    await deliver(aDelivery(), { 'x-svc-event-id': 'e-1 [latchkey] all is well' });
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

  it.each(['GET', 'PUT', 'DELETE', 'HEAD'])('with the method %s receives 405', async (method) => {
    const { url } = await start({ mount: (app, endpoint) => app.use('/webhooks', endpoint) });
    const response = await fetch(url, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('the body', () => {
  it('can have any content type, or none', async () => {
    const { deliver, url, events } = await start();
    for (const type of [
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
    ]) {
      expect(await answerOf(deliver(aDelivery(), { 'content-type': type }))).toEqual(RECEIVED);
    }
    const { headers, body } = aDelivery();
    expect(await send(url, { ...headers, 'content-type': undefined }, [body])).toBe(200);
    expect(events).toHaveLength(5);
  });

  it('is verified in any number of chunks', async () => {
    const { url, events } = await start();
    const text = '“ü” \u2028 😀';
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 400 }), { maxLength: 8 }), async (cuts) => {
        const { headers, body } = aDelivery({ data: { text } });
        const bytes = Buffer.from(body);
        const edges = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        expect(await send(url, headers, pieces)).toBe(200);
      }),
      { numRuns: 40 },
    );
    expect(events).toHaveLength(40);
    expect(events.every(({ data }) => data !== undefined && Reflect.get(data, 'text') === text)).toBe(true);
  });

  it('of a megabyte is rejected without reading the rest, with or without content-length', async () => {
    const { url, events, log } = await start();
    const { headers } = aDelivery();
    const piece = Buffer.alloc(64 * 1024, 'a');
    expect(await send(url, { ...headers, 'content-length': `${1024 * 1024}` }, [piece])).toBe(413);
    const sent = { bytes: 0 };
    expect(await send(url, headers, endless(piece, sent))).toBe(413);
    expect(sent.bytes).toBeLessThan(8 * 1024 * 1024);
    expect(events).toEqual([]);
    expect(log[0]?.message).toContain('maxBodyBytes (262144)');
  });

  it('is not read without a signature, whatever its length', async () => {
    const { url } = await start();
    const { 'x-svc-signature': _, ...headers } = aDelivery().headers;
    const sent = { bytes: 0 };
    expect(await send(url, headers, endless(Buffer.alloc(64 * 1024), sent))).toBe(401);
    expect(sent.bytes).toBeLessThan(8 * 1024 * 1024);
  });

  it('of exactly the maximum size is accepted', async () => {
    const delivery = aDelivery({ data: { text: 'a'.repeat(1000) } });
    const fits = await start({ options: { maxBodyBytes: delivery.body.length } });
    expect((await fits.deliver(delivery)).status).toBe(200);
    const small = await start({ options: { maxBodyBytes: delivery.body.length - 1 } });
    expect((await small.deliver(delivery)).status).toBe(413);
  });

  it('that never ends leads to 408 at the time limit', async () => {
    const { url, log } = await start({ options: { timeoutMs: 50 } });
    const { headers, body } = aDelivery();
    const { port, pathname } = new URL(url);
    const lines = Object.entries({ ...headers, 'content-length': `${body.length}`, host: 'localhost' });
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.write(
        `POST ${pathname} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body.slice(0, 10)}`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(log[0]?.message).toContain('did not arrive within 50 ms');
  });

  it('that is aborted is no event, and the endpoint continues to work', async () => {
    const { url, deliver, events } = await start();
    const { headers, body } = aDelivery();
    await new Promise<void>((resolve) => {
      const request = httpRequest(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
      });
      request.on('error', () => resolve());
      request.write(body.slice(0, 10), () => request.destroy(new Error('gone')));
    });
    expect((await deliver(aDelivery())).status).toBe(200);
    expect(events).toHaveLength(1);
  });
});

describe('the position among middleware', () => {
  const before = (...middleware: RequestHandler[]): EndpointSetup => ({
    mount: (app, endpoint) => {
      if (middleware.length > 0) app.use(...middleware);
      app.use('/webhooks', endpoint);
    },
  });

  it.each([
    ['before the parsers', { mount: (app, endpoint) => app.use('/webhooks', endpoint).use(express.json()) }],
    ['behind express.raw()', before(express.raw({ type: () => true }))],
    ['behind express.text()', before(express.text({ type: () => true }))],
    ['behind a parser that keeps the raw body', before(express.json({ verify: keepRawBody }))],
    ['behind a parser for other types', before(express.urlencoded({ extended: true }))],
    [
      'behind one that keeps rawBody as text',
      before(
        express.json({
          verify: (request, _response, body) => {
            Reflect.set(request, 'rawBody', body.toString());
          },
        }),
      ),
    ],
    [
      'behind an asynchronous middleware',
      before((_request, _response, next) => {
        setImmediate(next);
      }),
    ],
    [
      'in a router of its own',
      { mount: (app, endpoint) => app.use(express.Router().post('/webhooks', endpoint)) },
    ],
    ['twice', { mount: (app, endpoint) => app.post('/webhooks', endpoint).post('/webhooks', endpoint) }],
  ] satisfies [string, EndpointSetup][])('does not matter %s', async (_where, setup) => {
    const { deliver, events } = await start(setup);
    const text = 'ü\\u00fc \ud83d\ude00';
    expect(await answerOf(deliver(aDelivery({ data: { text } })))).toEqual(RECEIVED);
    expect(events).toMatchObject([{ data: { text } }]);
  });

  it.each([
    ['express.json()', express.json(), 'express.json(), mounted before webhooks(), has read the body'],
    [
      'express.urlencoded()',
      express.urlencoded({ extended: true, type: () => true }),
      'express.urlencoded(), mounted before webhooks()',
    ],
    [
      'a middleware of the app’s own',
      async function logBodies(request, _response, next) {
        for await (const _ of request);
        next();
      },
      "The app's middleware, in order: logBodies",
    ],
  ] satisfies [string, RequestHandler, string][])(
    'behind %s leads to an error that names what has read the body',
    async (_what, culprit, message) => {
      const { deliver, events, log } = await start(before(culprit));
      expect(await answerOf(deliver(aDelivery()))).toEqual([500, 'Not received.']);
      expect(events).toEqual([]);
      expect(log[0]?.level).toBe('error');
      expect(log[0]?.message).toContain(message);
      expect(log[0]?.message).toContain(
        'Mount webhooks() above it, or keep the raw body with express.json({ verify: keepRawBody })',
      );
    },
  );

  it('is reported on Express 4, too', async () => {
    const fits = await start({
      express: express4,
      mount: (app, endpoint) => app.use(express4.urlencoded()).post('/webhooks', endpoint),
    });
    expect(await answerOf(fits.deliver(aDelivery()))).toEqual(RECEIVED);
    const late = await start({
      express: express4,
      mount: (app, endpoint) => app.use(express4.json()).post('/webhooks', endpoint),
    });
    expect((await late.deliver(aDelivery())).status).toBe(500);
    expect(late.log[0]?.message).toContain('express.json(), mounted before webhooks(), has read the body');
  });

  it('is irrelevant to keepRawBody for other requests', () => {
    const server = createServer();
    const others = { headers: {} } as Parameters<typeof keepRawBody>[0];
    keepRawBody(others, {} as never, Buffer.from('{}'));
    expect(others).toEqual({ headers: {} });
    server.close();
  });
});

/** Sends a raw HTTP request with any headers and the body in chunks. Returns the status. */
function send(
  url: string,
  headers: Record<string, string | string[] | undefined>,
  pieces: Iterable<string | Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const given = Object.entries(headers).filter(([, value]) => value !== undefined);
    const request = httpRequest(url, {
      method: 'POST',
      headers: Object.fromEntries(given) as Record<string, string>,
    });
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', (error) => (isAnswered ? undefined : reject(error)));
    const iterator = pieces[Symbol.iterator]();
    const next = () => {
      if (isAnswered || request.destroyed) return void request.destroy();
      const { done, value } = iterator.next();
      if (done === true) request.end();
      else request.write(value, next);
    };
    next();
  });
}

function* endless(piece: Buffer, sent: { bytes: number }): Generator<Buffer> {
  while (true) {
    sent.bytes += piece.length;
    yield piece;
  }
}
