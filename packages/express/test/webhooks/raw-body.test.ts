import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { keepRawBody } from '../../src/webhooks/index.js';
import { aDelivery, type Endpoint, type EndpointSetup, SECRET, startEndpoint } from './endpoint.js';
import { sendRaw } from './send-raw.js';

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

describe('a compressed body', () => {
  /** Sends a body whose signature is over the bytes that are sent. */
  async function sendCompressed(endpoint: Endpoint, bytes: Buffer, encoding: string, more = {}) {
    const { headers, body } = aDelivery();
    const signature = createHmac('sha256', SECRET).update(bytes).digest('hex');
    const changed = { ...headers, 'X-Svc-Signature': signature, 'content-encoding': encoding, ...more };
    expect(body).not.toBe('');
    return await sendRaw(endpoint.url, changed, [bytes]);
  }
  const plain = Buffer.from(aDelivery().body);

  it.each([
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['gzip', plain],
    ['identity', plain],
  ])('with Content-Encoding %s is verified as sent, and decoded', async (encoding, bytes) => {
    const endpoint = await start();
    expect(await sendCompressed(endpoint, bytes, encoding)).toBe(200);
    expect(endpoint.events.map(({ body }) => body)).toEqual([JSON.parse(plain.toString())]);
  });

  it('of an unknown encoding is rejected with 415, and the log says why', async () => {
    const endpoint = await start();
    expect(await sendCompressed(endpoint, plain, 'zstd, gzip')).toBe(415);
    expect(endpoint.log[0]?.message).toMatch(/Content-Encoding is "zstd, gzip"/);
    expect(endpoint.events).toEqual([]);
  });

  it.each([
    [
      'is truncated',
      gzipSync(plain).subarray(0, 40),
      { 'content-encoding': 'gzip' },
      'Content-Encoding is "gzip"',
    ],
    [
      'has another charset',
      Buffer.from(aDelivery().body, 'utf16le'),
      { 'content-type': 'application/json; charset="UTF-16LE"' },
      'charset "utf-16le"',
    ],
  ])(
    'that %s is delivered again instead of handled without its content',
    async (_what, bytes, headers, reason) => {
      const endpoint = await start();
      expect(await sendCompressed(endpoint, bytes, 'identity', headers)).toBe(415);
      expect(endpoint.log[0]?.message).toContain(reason);
      expect(endpoint.events).toEqual([]);
    },
  );

  it.each([express.json({ verify: keepRawBody }), express.text({ type: () => true })])(
    'that a parser has decoded does not match its signature, and the log says why',
    async (parser) => {
      const endpoint = await start({ mount: (app, receiver) => app.use(parser).all('/webhooks', receiver) });
      expect(await sendCompressed(endpoint, gzipSync(plain), 'gzip')).toBe(401);
      expect(endpoint.log[0]?.message).toContain('Mount webhooks() above body parsers');
    },
  );

  it('that exceeds the limit when it is decoded is rejected with 413', async () => {
    const endpoint = await start({ options: { maxBodyBytes: 10_000 } });
    expect(await sendCompressed(endpoint, gzipSync(Buffer.alloc(1_000_000, 32)), 'gzip')).toBe(413);
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
    expect(await sendRaw(url, { ...headers, 'content-type': undefined }, [body])).toBe(200);
    expect(events).toHaveLength(5);
  });

  it('is verified in any number of chunks', async () => {
    const { url, events } = await start();
    const text = '“ü” \u2028 😀';
    const settings = fuzzRuns(40);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 400 }), { maxLength: 8 }), async (cuts) => {
        const { headers, body } = aDelivery({ data: { text } });
        const bytes = Buffer.from(body);
        const edges = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        expect(await sendRaw(url, headers, pieces)).toBe(200);
      }),
      settings,
    );
    expect(events).toHaveLength(settings.numRuns);
    for (const { body } of events) expect(body).toMatchObject({ data: { text } });
  });

  it('of a megabyte is rejected without reading the rest, with or without content-length', async () => {
    const { url, events, log } = await start();
    const { headers } = aDelivery();
    const piece = Buffer.alloc(64 * 1024, 'a');
    expect(await sendRaw(url, { ...headers, 'content-length': `${1024 * 1024}` }, [piece])).toBe(413);
    const sent = { bytes: 0 };
    expect(await sendRaw(url, headers, endless(piece, sent))).toBe(413);
    expect(sent.bytes).toBeLessThan(8 * 1024 * 1024);
    expect(events).toEqual([]);
    expect(log[0]?.message).toContain('maxBodyBytes (262144)');
  });

  it('is not read without a signature, whatever its length', async () => {
    const { url } = await start();
    const { 'x-svc-signature': _, ...headers } = aDelivery().headers;
    const sent = { bytes: 0 };
    expect(await sendRaw(url, headers, endless(Buffer.alloc(64 * 1024), sent))).toBe(401);
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
      { mount: (app, endpoint) => app.use(express.Router().all('/webhooks', endpoint)) },
    ],
    ['twice', { mount: (app, endpoint) => app.all('/webhooks', endpoint).all('/webhooks', endpoint) }],
  ] satisfies [string, EndpointSetup][])('does not matter %s', async (_where, setup) => {
    const { deliver, events } = await start(setup);
    const text = 'ü\\u00fc \ud83d\ude00';
    expect(await answerOf(deliver(aDelivery({ data: { text } })))).toEqual(RECEIVED);
    expect(events).toMatchObject([{ body: { data: { text } } }]);
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

  it.each([
    ['Express 5', express],
    ['Express 4', express4],
  ])('behind a parser of its own route is not blamed on another path’s: %s', async (_version, version) => {
    const { deliver, log } = await start({
      express: version,
      mount: (app, endpoint) => app.use('/other', version.text()).all('/webhooks', version.json(), endpoint),
    });
    expect((await deliver(aDelivery())).status).toBe(500);
    expect(log[0]?.message).toContain('express.json(), mounted before webhooks(), has read the body');
  });

  it('is reported on Express 4, too', async () => {
    const fits = await start({
      express: express4,
      mount: (app, endpoint) => app.use(express4.urlencoded()).all('/webhooks', endpoint),
    });
    expect(await answerOf(fits.deliver(aDelivery()))).toEqual(RECEIVED);
    const late = await start({
      express: express4,
      mount: (app, endpoint) => app.use(express4.json()).all('/webhooks', endpoint),
    });
    expect((await late.deliver(aDelivery())).status).toBe(500);
    expect(late.log[0]?.message).toContain('express.json(), mounted before webhooks(), has read the body');
  });

  it('is irrelevant to keepRawBody for other requests', () => {
    const headers = { 'signature-input': 'x', 'x-signature-kind': 'y' };
    const others = { headers } as unknown as Parameters<typeof keepRawBody>[0];
    keepRawBody(others, {} as never, Buffer.from('{}'));
    expect(others).toEqual({ headers });
  });

  it('is kept under any header prefix, without naming it', async () => {
    const serviceNames = { headerPrefix: 'X-Acme-' };
    const { deliver, events } = await start({
      ...before(express.json({ verify: keepRawBody })),
      options: { serviceNames },
    });
    expect(await answerOf(deliver(aDelivery({}, { serviceNames })))).toEqual(RECEIVED);
    expect(events).toHaveLength(1);
  });

  it.each([
    ['express.json() of Express 5', express, express.json()],
    ['express.json() of Express 4', express4, express4.json()],
    [
      'a middleware that reads bodies',
      express,
      async (request, _response, next) => {
        for await (const _ of request);
        next();
      },
    ],
  ] satisfies [string, typeof express, RequestHandler][])(
    'does not matter for a delivery without a body behind %s',
    async (_what, makeApp, parser) => {
      const { url, events, log } = await start({ express: makeApp, ...before(parser) });
      const { headers } = aDelivery({ body: undefined });
      for (const [index, method] of ['GET', 'POST'].entries()) {
        const given = { ...headers, 'x-svc-event-id': `evt-${index}` };
        expect(await answerOf(fetch(url, { method, headers: given }))).toEqual(RECEIVED);
      }
      expect(events.map(({ body, raw }) => [body, raw.length])).toEqual([
        [undefined, 0],
        [undefined, 0],
      ]);
      expect(log).toEqual([]);
    },
  );
});

function* endless(piece: Buffer, sent: { bytes: number }): Generator<Buffer> {
  while (true) {
    sent.bytes += piece.length;
    yield piece;
  }
}
