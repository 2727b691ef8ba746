import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleEvent, signWebhook } from '../../src/testing/index.js';
import { verifyWebhook, verifyWebhookSignature } from '../../src/webhooks/index.js';
import { OLD_SECRET, SECRET } from './endpoint.js';

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return Reflect.get(error as object, 'code') ?? error;
  }
  return 'accepted';
};

const sign = (body: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url' = 'hex', secret = SECRET) =>
  createHmac('sha256', secret).update(body).digest(encoding);

describe('the signature of a delivery', () => {
  it('is the HMAC-SHA256 that openssl computes [webhook.signature-raw-body]', () => {
    // printf hello | openssl dgst -sha256 -hmac aaa… (64 times a)
    const known = 'ea7912d1e9662c483f7bc3f1a274aad649d88948c240e2c5cc1e4b14c8e67857';
    expect(codeOf(() => verifyWebhookSignature('hello', known, 'a'.repeat(64)))).toBe('accepted');
  });

  it.each(['hex', 'base64', 'base64url'] as const)('is accepted as %s, detected by its form', (encoding) => {
    expect(codeOf(() => verifyWebhookSignature('{}', sign('{}', encoding), SECRET))).toBe('accepted');
  });

  it('is accepted in upper case, and as base64 without padding', () => {
    for (const signature of [sign('{}').toUpperCase(), sign('{}', 'base64').replace('=', '')]) {
      expect(codeOf(() => verifyWebhookSignature('{}', signature, SECRET))).toBe('accepted');
    }
  });

  it('uses the 64 characters of the secret as the key, not the bytes that they encode [webhook.secret-literal]', () => {
    const decoded = createHmac('sha256', Buffer.from(SECRET, 'hex')).update('{}').digest('hex');
    expect(codeOf(() => verifyWebhookSignature('{}', decoded, SECRET))).toBe('signature_mismatch');
    expect(codeOf(() => verifyWebhookSignature('{}', sign('{}'), SECRET))).toBe('accepted');
  });

  it('can be of either secret during a rotation, and of no third one', () => {
    const secrets = [SECRET, OLD_SECRET];
    expect(codeOf(() => verifyWebhookSignature('{}', sign('{}', 'hex', OLD_SECRET), secrets))).toBe(
      'accepted',
    );
    expect(codeOf(() => verifyWebhookSignature('{}', sign('{}'), secrets))).toBe('accepted');
    expect(codeOf(() => verifyWebhookSignature('{}', sign('{}', 'hex', 'a'.repeat(64)), secrets))).toBe(
      'signature_mismatch',
    );
  });

  it.each([
    ['missing', undefined, 'signature_missing'],
    ['empty', '', 'signature_missing'],
    ['of 63 characters', sign('{}').slice(1), 'signature_malformed'],
    ['of 65 characters', `${sign('{}')}0`, 'signature_malformed'],
    ['two in one header', `${sign('{}')}, ${sign('{}')}`, 'signature_malformed'],
    ['of another algorithm', createHmac('sha512', SECRET).update('{}').digest('hex'), 'signature_malformed'],
    ['of SHA-1', createHmac('sha1', SECRET).update('{}').digest('hex'), 'signature_malformed'],
    ['with a prefix', `sha256=${sign('{}')}`, 'signature_malformed'],
    ['with a line break', `${sign('{}')}\n`, 'signature_malformed'],
    ['that is not hex', 'g'.repeat(64), 'signature_malformed'],
    ['all zeros', '0'.repeat(64), 'signature_mismatch'],
    ['of Unicode digits', '０'.repeat(64), 'signature_malformed'],
  ])('%s is rejected with its code', (_what, signature, code) => {
    expect(codeOf(() => verifyWebhookSignature('{}', signature, SECRET))).toBe(code);
  });

  it('never matches another body: any changed, added or removed byte is rejected [webhook.signature-raw-body]', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('alter', 'insert', 'remove'),
        (body, at, mask, change) => {
          const index = at % body.length;
          const altered = [...body];
          if (change === 'alter') altered[index] = (altered[index] ?? 0) ^ mask;
          else if (change === 'insert') altered.splice(index, 0, mask);
          else altered.splice(index, 1);
          fc.pre(Buffer.compare(Buffer.from(altered), body) !== 0);
          expect(codeOf(() => verifyWebhookSignature(body, sign(body), SECRET))).toBe('accepted');
          expect(codeOf(() => verifyWebhookSignature(Uint8Array.from(altered), sign(body), SECRET))).toBe(
            'signature_mismatch',
          );
        },
      ),
    );
  });

  it('never matches if any of its hex digits is changed', () => {
    fc.assert(
      fc.property(fc.nat({ max: 63 }), fc.integer({ min: 1, max: 15 }), (index, step) => {
        const signature = sign('{}');
        const digit = (Number.parseInt(signature.charAt(index), 16) + step) % 16;
        const altered = `${signature.slice(0, index)}${digit.toString(16)}${signature.slice(index + 1)}`;
        expect(codeOf(() => verifyWebhookSignature('{}', altered, SECRET))).toBe('signature_mismatch');
      }),
    );
  });

  it('is compared in constant time, by timingSafeEqual over digests of equal length only', () => {
    const code = readFileSync(new URL('../../src/webhooks/signature.ts', import.meta.url), 'utf8');
    expect(code).toContain('timingSafeEqual(expected, signature)');
    expect(code).not.toMatch(/expected\s*[!=]==|\.equals\(|compare\(/);
  });
});

describe('verifyWebhook', () => {
  const event = exampleEvent('membership.created');
  const { body, headers } = signWebhook(event, { secret: SECRET });

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
    expect(verifyWebhook(body, given, SECRET)).toEqual(event);
  });

  it.each([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['a Uint8Array', new Uint8Array(Buffer.from(body))],
    ['an ArrayBuffer', new Uint8Array(Buffer.from(body)).buffer],
  ])('accepts the body as %s', (_what, given) => {
    expect(verifyWebhook(given, headers, SECRET)).toEqual(event);
  });

  it('rejects a repeated header', () => {
    const twice = { ...headers, 'x-svc-signature': [headers['x-svc-signature'] ?? '', sign('{}')] };
    expect(codeOf(() => verifyWebhook(body, twice, SECRET))).toBe('signature_malformed');
  });

  it('explains what to pass instead of a parsed body', () => {
    const parsed = JSON.parse(body);
    expect(() => verifyWebhook(parsed, headers, SECRET)).toThrow('raw bytes or text');
  });

  it('verifies before it parses [webhook.verify-before-parse]', () => {
    expect(codeOf(() => verifyWebhook('{"not json', headers, SECRET))).toBe('signature_mismatch');
  });

  it.each([
    ['is not JSON', 'hello'],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['has no id', '{"type":"a","createdAt":"2026-01-01T00:00:00.000Z","data":{}}'],
    ['has no data', '{"id":"1","type":"a","createdAt":"2026-01-01T00:00:00.000Z"}'],
    ['has no time', '{"id":"1","type":"a","createdAt":"yesterday","data":{}}'],
  ])('rejects a signed body that %s', (_what, given) => {
    const signed = { 'x-svc-signature': sign(given), 'x-svc-event-type': 'a', 'x-svc-event-id': '1' };
    expect(codeOf(() => verifyWebhook(given, signed, SECRET))).toBe('body_unreadable');
  });

  it.each(['x-svc-event-type', 'x-svc-event-id'])(
    'rejects a signed body whose %s differs or is missing [webhook.event-type-header] [webhook.event-id-header]',
    (name) => {
      expect(codeOf(() => verifyWebhook(body, { ...headers, [name]: 'another' }, SECRET))).toBe(
        'headers_mismatch',
      );
      expect(codeOf(() => verifyWebhook(body, { ...headers, [name]: undefined }, SECRET))).toBe(
        'header_missing',
      );
    },
  );

  it('passes unknown types and fields through [versioning.ignore-unknown-fields]', () => {
    const unknown = {
      id: '1',
      type: 'garden.watered',
      createdAt: '2026-01-01T00:00:00Z',
      data: { litres: 3 },
      by: 'rain',
    };
    const newer = { ...event, trace: 'x', data: { ...event.data, colour: 'blue' } };
    for (const each of [unknown, newer]) {
      const signed = signWebhook(each, { secret: SECRET });
      expect(verifyWebhook(signed.body, signed.headers, SECRET)).toEqual(each);
    }
  });

  it('rejects a known type without its required fields, and reports their paths only', () => {
    const broken = { ...event, data: { ...event.data, membership: { id: 'm-1' } } };
    const signed = signWebhook(broken, { secret: SECRET });
    expect(codeOf(() => verifyWebhook(signed.body, signed.headers, SECRET))).toBe('event_unreadable');
    expect(() => verifyWebhook(signed.body, signed.headers, SECRET)).toThrow(
      'data.membership.productType, data.membership.isActive, data.membership.validFrom',
    );
  });

  it('reports an invalid secret before it reads anything', () => {
    expect(() => verifyWebhook(body, headers, undefined)).toThrow(
      'Check that its environment variable is set',
    );
    expect(() => verifyWebhook(body, headers, [SECRET, `${OLD_SECRET}\n`])).toThrow(
      'secrets.1: has white space',
    );
  });
});
