import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleEvent, manualClock, signWebhook } from '../../src/testing/index.js';
import {
  isKnownWebhookEvent,
  referencePayload,
  verifyWebhook,
  verifyWebhookSignature,
} from '../../src/webhooks/index.js';
import { aDelivery, OLD_SECRET, SECRET } from './endpoint.js';

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return Reflect.get(error as object, 'code') ?? error;
  }
  return 'accepted';
};

const sign = (body: string | Uint8Array) => createHmac('sha256', SECRET).update(body).digest('hex');

describe('verifyWebhook', () => {
  const event = exampleEvent('membership.created');
  const { body, headers } = signWebhook(event, { secret: SECRET });
  const verified = { type: event.type, id: event.id, body: event, raw: Buffer.from(body) };

  it.each([
    ['Headers of fetch', new Headers(headers)],
    ['an object in lower case, as of Node', headers],
    [
      'an object in capitals, as of a gateway',
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    [
      'an object of lists, as of Lambda',
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
  ])('reads its headers from %s', (_what, given) => {
    expect(verifyWebhook(body, given, SECRET)).toMatchObject(verified);
  });

  it.each([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['a Uint8Array', new Uint8Array(Buffer.from(body))],
    ['an ArrayBuffer', new Uint8Array(Buffer.from(body)).buffer],
  ])('accepts the body as %s', (_what, given) => {
    expect(verifyWebhook(given, headers, SECRET)).toMatchObject(verified);
  });

  it('adds the time of the passed clock', () => {
    const clock = manualClock(Date.UTC(2030, 0, 1));
    expect(verifyWebhook(body, headers, SECRET, { clock }).receivedAt).toBe(Date.UTC(2030, 0, 1));
  });

  it('rejects a repeated header', () => {
    const twice = (name: string) => ({ ...headers, [name]: [headers[name] ?? '', sign('{}')] });
    expect(codeOf(() => verifyWebhook(body, twice('x-svc-signature'), SECRET))).toBe('signature_malformed');
    for (const name of ['x-svc-event-id', 'x-svc-event-type'])
      expect(codeOf(() => verifyWebhook(body, twice(name), SECRET))).toBe('header_malformed');
  });

  it('explains what to pass instead of a parsed body', () => {
    const parsed = JSON.parse(body);
    expect(() => verifyWebhook(parsed, headers, SECRET)).toThrow('raw bytes or text');
    expect(codeOf(() => verifyWebhookSignature(parsed, sign(body), SECRET))).toBe('body_parsed');
  });

  it('verifies before it parses', { tags: ['webhook.verify-before-parse'] }, () => {
    expect(codeOf(() => verifyWebhook('{"not json', headers, SECRET))).toBe('signature_mismatch');
  });

  it.each([
    ['is not JSON', 'hello', undefined],
    ['is empty', '', undefined],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), undefined],
    ['is a list', '[]', []],
    ['is null', 'null', null],
    ['has no envelope', '{"paid":900}', { paid: 900 }],
  ])('accepts a signed body that %s', (_what, given, parsed) => {
    const signed = { 'x-svc-signature': sign(given), 'x-svc-event-type': 'a', 'x-svc-event-id': '1' };
    const read = verifyWebhook(given, signed, SECRET);
    expect([read.body, read.raw]).toEqual([parsed, Buffer.from(given)]);
  });

  it.each(['x-svc-event-type', 'x-svc-event-id'])(
    'rejects a signed body whose %s differs or is missing',
    { tags: ['webhook.event-type-header', 'webhook.event-id-header'] },
    (name) => {
      expect(codeOf(() => verifyWebhook(body, { ...headers, [name]: 'another' }, SECRET))).toBe(
        'headers_mismatch',
      );
      for (const missing of [undefined, ''])
        expect(codeOf(() => verifyWebhook(body, { ...headers, [name]: missing }, SECRET))).toBe(
          'header_missing',
        );
    },
  );

  it('passes unknown types and fields through', { tags: ['versioning.ignore-unknown-fields'] }, () => {
    const unknown = { id: '1', type: 'garden.watered', data: { litres: 3 }, by: 'rain' };
    const newer = { ...event, trace: 'x', data: { ...event.data, colour: 'blue' } };
    for (const each of [unknown, newer]) {
      const signed = aDelivery({ ...each, body: each });
      expect(verifyWebhook(signed.body, signed.headers, SECRET).body).toEqual(each);
      const read = verifyWebhook(signed.body, signed.headers, SECRET, { payload: referencePayload });
      expect(read.body).toEqual(each);
    }
  });

  it('parses the body with the schema of its type, which narrows the event', () => {
    const paid = z.object({ paid: z.number() }).transform(({ paid: cents }) => ({ euros: cents / 100 }));
    const signed = aDelivery({ type: 'payment.success', body: { paid: 900 } });
    const read = verifyWebhook(signed.body, signed.headers, SECRET, { payload: { 'payment.success': paid } });
    expect(isKnownWebhookEvent(read) && read.type === 'payment.success' && read.body.euros).toBe(9);
    expect(isKnownWebhookEvent({ ...read, type: 'garden.watered' })).toBe(false);
  });

  it('rejects a body that its schema does not accept, and reports paths only', () => {
    const broken = { ...event, data: { ...event.data, membership: { id: 'm-1' } } };
    const signed = signWebhook(broken, { secret: SECRET });
    const verify = () => verifyWebhook(signed.body, signed.headers, SECRET, { payload: referencePayload });
    expect(codeOf(verify)).toBe('payload_unreadable');
    expect(verify).toThrow(
      'data.membership.productType, data.membership.isActive, data.membership.validFrom',
    );
    expect(verify).not.toThrow('m-1');
  });

  it('reads the headers of other names, which messages use too', () => {
    const serviceNames = { headerPrefix: 'X-Acme-', apiKeyPrefix: 'acme_' };
    const signed = aDelivery({}, { serviceNames });
    expect(verifyWebhook(signed.body, signed.headers, SECRET, { serviceNames }).type).toBe('garden.watered');
    expect(() => verifyWebhook(signed.body, headers, SECRET, { serviceNames })).toThrow(
      'X-Acme-Signature is missing',
    );
    expect(() => verifyWebhook(body, headers, `acme_${'a'.repeat(43)}`, { serviceNames })).toThrow(
      'is an API key (acme_…)',
    );
  });

  it('reports invalid options and secrets before it reads anything', () => {
    expect(() => verifyWebhook(body, headers, undefined)).toThrow(
      'Check that its environment variable is set',
    );
    expect(() => verifyWebhook(body, headers, [SECRET, `${OLD_SECRET}\n`])).toThrow(
      'secrets.1: has white space',
    );
    expect(() => verifyWebhook(body, {}, SECRET, { serviceNames: { headerPrefix: 'X Acme' } })).toThrow(
      'serviceNames.headerPrefix: must be letters, digits and -',
    );
    const payload = { 'payment.success': {} } as never;
    expect(() => verifyWebhook(body, {}, SECRET, { payload })).toThrow(
      'payload.payment.success: must be a schema',
    );
  });
});
