import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import {
  referencePayload,
  verifyWebhook,
  type WebhookOptions,
  WebhookVerificationError,
} from '../../src/webhooks/index.js';
import { type Endpoint, SECRET, startEndpoint } from './endpoint.js';

// Requests as the spec describes them ("Events", 3 and 4), built without this package: three headers, and a signature of
// the raw body. The spec shows neither body nor encoding.

const open: Endpoint[] = [];
async function start(options: Partial<WebhookOptions> = {}): Promise<Endpoint> {
  const endpoint = await startEndpoint({
    options,
    mount: (app, handler) => app.use('/webhooks', handler),
  });
  open.push(endpoint);
  return endpoint;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

type Sign = (digest: Buffer) => string;

/** A request of a service that follows the spec, with any body. */
function request(
  body: string | Uint8Array<ArrayBuffer> | undefined,
  {
    type = 'payment.success',
    id = 'evt-1',
    sign = (digest: Buffer) => digest.toString('hex'),
    prefix = 'X-Svc-',
    method = 'POST',
  }: { type?: string; id?: string; sign?: Sign; prefix?: string; method?: string } = {},
): { method: string; headers: Record<string, string>; body?: BodyInit } {
  const digest = createHmac('sha256', SECRET)
    .update(body ?? '')
    .digest();
  return {
    method,
    headers: {
      [`${prefix}Signature`]: sign(digest),
      [`${prefix}Event-Type`]: type,
      [`${prefix}Event-Id`]: id,
    },
    ...(body === undefined ? {} : { body }),
  };
}

describe('a delivery of another service', () => {
  it.each([
    ['another envelope', { event: 'payment.success', event_id: 'evt-1', payload: { amount: 900 } }],
    ['only fields of the payment', { amount: '9.00', currency: 'EUR', buyer: 'ada@example.com' }],
    ['an id of something else', { id: 'pay-77', status: 'paid', type: 'card' }],
    ['a list', [{ id: 1 }]],
    ['a text', 'paid'],
    ['a number', 7],
    ['null', null],
  ])('whose body is %s reaches its handler', async (_what, body) => {
    const { url, events, log } = await start();
    const response = await fetch(url, request(JSON.stringify(body)));
    expect([response.status, await response.text()]).toEqual([200, 'Received.']);
    expect(events).toMatchObject([{ type: 'payment.success', id: 'evt-1', body }]);
    expect(log).toEqual([]);
  });

  it.each([
    ['has no body', undefined],
    ['has an empty body', ''],
    ['has a form as its body', 'amount=900&currency=EUR'],
    ['has a body that is not UTF-8', Uint8Array.from([0x7b, 0xff, 0x7d])],
  ])('that %s reaches its handler without a body, and with the signed bytes', async (_what, body) => {
    const { url, events } = await start();
    expect((await fetch(url, request(body))).status).toBe(200);
    expect(events).toHaveLength(1);
    expect(events[0]).toHaveProperty('body', undefined);
    expect(Reflect.get(events[0] ?? {}, 'raw')).toEqual(Buffer.from(body ?? ''));
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])('can be sent with the method %s', async (method) => {
    const { url, events } = await start();
    const body = method === 'GET' ? undefined : '{"amount":900}';
    expect((await fetch(url, request(body, { method }))).status).toBe(200);
    expect(events).toHaveLength(1);
  });

  it.each([
    ['hex', (digest) => digest.toString('hex')],
    ['hex in capitals', (digest) => digest.toString('hex').toUpperCase()],
    ['base64', (digest) => digest.toString('base64')],
    ['base64 without padding', (digest) => digest.toString('base64').replace('=', '')],
    ['base64url', (digest) => digest.toString('base64url')],
    ['base64url with padding', (digest) => `${digest.toString('base64url')}=`],
    ['sha256= and hex', (digest) => `sha256=${digest.toString('hex')}`],
    ['sha256= and base64', (digest) => `sha256=${digest.toString('base64')}`],
    ['SHA256= and base64url', (digest) => `SHA256=${digest.toString('base64url')}`],
  ] satisfies [string, Sign][])('can be signed as %s', async (_form, sign) => {
    const { url, events } = await start();
    expect((await fetch(url, request('{"amount":900}', { sign }))).status).toBe(200);
    expect(events).toHaveLength(1);
  });

  it('is verified without an endpoint too', () => {
    const { headers } = request('{"amount":900}');
    expect(verifyWebhook('{"amount":900}', headers, SECRET)).toMatchObject({
      type: 'payment.success',
      id: 'evt-1',
      body: { amount: 900 },
    });
  });

  it('can have any JSON as its body', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { headers } = request(text);
        const { body, raw } = verifyWebhook(text, headers, SECRET);
        expect([body, raw.toString()]).toEqual([JSON.parse(text), text]);
      }),
      fuzzRuns(100),
    );
  });

  it('throws no other error than its own, whatever its headers and bytes are', () => {
    const value = fc.option(fc.string({ maxLength: 80 }), { nil: undefined });
    const given = fc.record({ 'x-svc-signature': value, 'x-svc-event-type': value, 'x-svc-event-id': value });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), given, fc.boolean(), (bytes, headers, isSigned) => {
        const signature = createHmac('sha256', SECRET).update(bytes).digest('hex');
        const all = isSigned ? { ...headers, 'x-svc-signature': signature } : headers;
        try {
          verifyWebhook(bytes, all, SECRET, { payload: referencePayload });
        } catch (error) {
          expect(error).toBeInstanceOf(WebhookVerificationError);
        }
      }),
      fuzzRuns(500),
    );
  });

  it('is handled once', async () => {
    const { url, events } = await start();
    for (let time = 0; time < 3; time += 1)
      expect((await fetch(url, request('{"amount":900}'))).status).toBe(200);
    expect(events).toHaveLength(1);
  });
});
