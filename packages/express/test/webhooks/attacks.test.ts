import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { keepRawBody } from '../../src/webhooks/index.js';
import {
  aDelivery,
  type Endpoint,
  type EndpointSetup,
  OLD_SECRET,
  SECRET,
  startEndpoint,
} from './endpoint.js';

const open: Endpoint[] = [];
async function start(setup?: EndpointSetup): Promise<Endpoint> {
  const endpoint = await startEndpoint(setup);
  open.push(endpoint);
  return endpoint;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const sign = (bytes: Buffer | string, key: Buffer | string = SECRET) =>
  createHmac('sha256', key).update(bytes).digest('hex');

const BODY = JSON.stringify({ eventId: 'evt-1', type: 'payment.success', data: { cents: 900 } });
const NAMES = { type: 'X-Svc-Event-Type: payment.success', id: 'X-Svc-Event-Id: evt-1' };

interface RawDelivery {
  /** Lines of the head besides the request line, `Host` and `Connection`. */
  headers: readonly string[];
  bytes: Buffer | string;
}

/** A valid delivery of {@link BODY}. */
const VALID: RawDelivery = {
  headers: [NAMES.type, NAMES.id, `X-Svc-Signature: ${sign(BODY)}`, `Content-Length: ${BODY.length}`],
  bytes: BODY,
};

/** Sends the bytes of a delivery unchanged. Resolves with the status of each response on the connection. */
async function sendBytes({ url }: Endpoint, { headers, bytes }: RawDelivery): Promise<number[]> {
  const { port, host, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  const head = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''];
  socket.write(Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), Buffer.from(bytes)]));
  await closed;
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

const signed = (signature: string, { bytes = BODY, more = [] as string[] } = {}): RawDelivery => ({
  headers: [
    NAMES.type,
    NAMES.id,
    `X-Svc-Signature: ${signature}`,
    `Content-Length: ${Buffer.byteLength(bytes)}`,
    ...more,
  ],
  bytes,
});

describe('a forged delivery', () => {
  const right = sign(BODY);
  const attacks: readonly [name: string, delivery: RawDelivery, status: number][] = [
    ['signed with the decoded secret', signed(sign(BODY, Buffer.from(SECRET, 'hex'))), 401],
    ['signed with an empty key', signed(sign(BODY, '')), 401],
    ['signed with the secret in upper case', signed(sign(BODY, SECRET.toUpperCase())), 401],
    ['signed by a secret that is not listed', signed(sign(BODY, OLD_SECRET)), 401],
    ['signed over an empty body', signed(sign('')), 401],
    ['signed over the body and a line break', signed(sign(`${BODY}\n`)), 401],
    ['signed over the indented body', signed(sign(JSON.stringify(JSON.parse(BODY), null, 2))), 401],
    ['signed over the body in UTF-16', signed(sign(Buffer.from(BODY, 'utf16le'))), 401],
    ['signed over the headers too', signed(sign(`payment.success.evt-1.${BODY}`)), 401],
    ['with two signatures after a comma', signed(`${'0'.repeat(64)},${right}`), 401],
    ['with two signatures after a space', signed(`${right} ${'0'.repeat(64)}`), 401],
    ['with a scheme of another service', signed(`t=1,v1=${right}`), 401],
    ['with the prefix twice', signed(`sha256=sha256=${right}`), 401],
    ['with the name of a weaker hash', signed(`sha1=${right}`), 401],
    ['with a signature that is cut', signed(right.slice(0, 62)), 401],
    ['with a signature that is too long', signed(`${right}00`), 401],
    ['with quotation marks', signed(`"${right}"`), 401],
    ['with a character above ASCII', signed(`${right.slice(0, 63)}\u00e9`), 401],
    [
      'with the signature in a header with underscores',
      {
        ...VALID,
        headers: [NAMES.type, NAMES.id, `X_Svc_Signature: ${right}`, `Content-Length: ${BODY.length}`],
      },
      401,
    ],
    [
      'with the signature in a trailer',
      {
        headers: [NAMES.type, NAMES.id, 'Transfer-Encoding: chunked', 'Trailer: X-Svc-Signature'],
        bytes: `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\nX-Svc-Signature: ${right}\r\n\r\n`,
      },
      401,
    ],
    [
      'with a wrong signature in the head and the right one in a trailer',
      {
        headers: [NAMES.type, NAMES.id, `X-Svc-Signature: ${'0'.repeat(64)}`, 'Transfer-Encoding: chunked'],
        bytes: `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\nX-Svc-Signature: ${right}\r\n\r\n`,
      },
      401,
    ],
    ['with more bytes than were signed', { ...signed(right, { bytes: `${BODY} ` }) }, 401],
    ['with fewer bytes than were signed', signed(right, { bytes: BODY.slice(0, -1) }), 401],
    [
      'with a length and chunks (request smuggling)',
      { headers: [...VALID.headers, 'Transfer-Encoding: chunked'], bytes: `0\r\n\r\n${BODY}` },
      400,
    ],
    ['with two lengths', { headers: [...VALID.headers, 'Content-Length: 1'], bytes: BODY }, 400],
    [
      'with a negative length',
      { headers: [...VALID.headers.slice(0, 3), 'Content-Length: -1'], bytes: BODY },
      400,
    ],
    [
      'with a length in hex',
      { headers: [...VALID.headers.slice(0, 3), 'Content-Length: 0x40'], bytes: BODY },
      400,
    ],
    [
      'with a length above the limit, and no byte of it',
      { headers: [...VALID.headers.slice(0, 3), 'Content-Length: 999999999999'], bytes: '' },
      413,
    ],
    [
      'compressed, signed over the text',
      signed(right, { bytes: gzipSync(BODY) as unknown as string, more: ['Content-Encoding: gzip'] }),
      401,
    ],
  ];

  it.each(attacks)(
    '%s reaches no handler, and the log contains neither secret nor signature',
    async (_name, delivery, status) => {
      const endpoint = await start();
      expect(await sendBytes(endpoint, delivery)).toEqual([status]);
      expect(endpoint.events).toEqual([]);
      const log = JSON.stringify(endpoint.log);
      for (const secret of [SECRET, right, '900', 'evt-1']) expect(log).not.toContain(secret);
      expect(await sendBytes(endpoint, VALID)).toEqual([200]);
      expect(endpoint.events).toHaveLength(1);
    },
  );

  it('inside of the body of another request is never read as a request', async () => {
    const endpoint = await start();
    const { pathname, host } = new URL(endpoint.url);
    const inner = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, ...VALID.headers, '', BODY].join('\r\n');
    const outer = ['X-Svc-Signature: x', `Content-Length: ${inner.length}`];
    expect(await sendBytes(endpoint, { headers: outer, bytes: inner })).toEqual([401]);
    expect(endpoint.events).toEqual([]);
  });

  it('that is a bomb of zeros behind a parser that keeps raw bodies is not unpacked beyond the limit of the parser', async () => {
    const endpoint = await start({
      mount: (app, handler) => app.use(express.json({ verify: keepRawBody })).all('/webhooks', handler),
    });
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const more = ['Content-Encoding: gzip', 'Content-Type: application/json'];
    const delivery = signed(sign(bomb), { bytes: bomb as unknown as string, more });
    expect(await sendBytes(endpoint, delivery)).toEqual([413]);
    expect(endpoint.events).toEqual([]);
  });
});

describe('a signed body with hostile JSON', () => {
  const deliver = async (
    endpoint: Endpoint,
    body: string,
    { id = 'evt-1', type = 'payment.success' } = {},
  ) => {
    const { url } = endpoint;
    const headers = { 'x-svc-signature': sign(body), 'x-svc-event-id': id, 'x-svc-event-type': type };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };

  it.each([
    ['an event id in the prototype', '{"__proto__":{"eventId":"evt-2","type":"payment.failed"}}', 200],
    ['a prototype of the constructor', '{"constructor":{"prototype":{"eventId":"evt-2"}}}', 200],
    ['two event ids, the second of which is another', '{"eventId":"evt-1","eventId":"evt-2"}', 400],
    ['two types, the second of which is another', '{"type":"payment.success","type":"payment.failed"}', 400],
    ['an escaped name of the event id', '{"event\\u0049d":"evt-2"}', 400],
    ['an event id as a list', '{"eventId":["evt-2"]}', 200],
    ['100,000 nested lists', '['.repeat(100_000) + ']'.repeat(100_000), 200],
    ['a lone surrogate', '{"eventId":"evt-1","text":"\\ud800"}', 200],
  ])('%s changes no prototype, and names the event as JSON does', async (_what, body, status) => {
    const endpoint = await start();
    expect(await deliver(endpoint, body)).toBe(status);
    expect(endpoint.events).toHaveLength(status === 200 ? 1 : 0);
    for (const name of ['eventId', 'type']) expect(Reflect.get({}, name)).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'payment.success\u00e9'])(
    'and the event type %s calls no function that it names',
    async (type) => {
      const paid: unknown[] = [];
      const endpoint = await start({
        options: { on: { 'payment.success': (event) => paid.push(event) }, other: undefined },
      });
      expect(await deliver(endpoint, '{}', { type })).toBe(200);
      expect(paid).toEqual([]);
    },
  );

  it.each(['__proto__', 'constructor', 'é', 'x'.repeat(8000), '0', 'null', 'evt:*?[a]'])(
    'and the event id %.20s is handled once',
    async (id) => {
      const endpoint = await start();
      for (let copy = 0; copy < 2; copy += 1) expect(await deliver(endpoint, '{}', { id })).toBe(200);
      expect(endpoint.events).toHaveLength(1);
    },
  );
});

describe('copies of one delivery at the same moment', () => {
  it('run one handler, however their headers spell the id and the signature', async () => {
    const id = 'e0e0e0e0-0000-4000-8000-00000000000e';
    const delivery = aDelivery({ id, body: { eventId: id } });
    const hex = delivery.headers['x-svc-signature'] ?? '';
    const spellings = [hex, hex.toUpperCase(), `sha256=${hex}`, Buffer.from(hex, 'hex').toString('base64')];
    const endpoint = await start();
    const statuses = await Promise.all(
      Array.from({ length: 24 }, async (_, copy) => {
        const changes = {
          'x-svc-event-id': copy % 2 === 0 ? id : id.toUpperCase(),
          'x-svc-signature': spellings[copy % spellings.length],
        };
        return (await endpoint.deliver(delivery, changes)).status;
      }),
    );
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(endpoint.events).toHaveLength(1);
  });
});
