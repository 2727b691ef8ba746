import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { verifyWebhookSignature, WebhookVerificationError } from '../../src/webhooks/index.js';
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
  it('is the HMAC-SHA256 that openssl computes', { tags: ['webhook.signature-raw-body'] }, () => {
    // printf hello | openssl dgst -sha256 -hmac aaa… (64 times a)
    const known = 'ea7912d1e9662c483f7bc3f1a274aad649d88948c240e2c5cc1e4b14c8e67857';
    expect(codeOf(() => verifyWebhookSignature('hello', known, 'a'.repeat(64)))).toBe('accepted');
  });

  it('is accepted in each encoding, letter case, padding and prefix, for any body', () => {
    const form = fc.record({
      encoding: fc.constantFrom('hex', 'HEX', 'base64', 'base64url'),
      isPadded: fc.boolean(),
      prefix: fc.constantFrom('', 'sha256=', 'SHA256=', 'Sha256='),
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), form, (body, { encoding, isPadded, prefix }) => {
        const plain =
          encoding === 'HEX'
            ? sign(body).toUpperCase()
            : sign(body, encoding as 'hex' | 'base64' | 'base64url').replace('=', '');
        const signature = `${prefix}${plain}${isPadded && encoding.startsWith('base64') ? '=' : ''}`;
        expect(codeOf(() => verifyWebhookSignature(body, signature, SECRET))).toBe('accepted');
      }),
      fuzzRuns(100),
    );
  });

  it('throws no other error than its own, whatever the header contains', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF+/-_=g,% '), maxLength: 100 });
    const garbage = fc.oneof(
      fc.string({ maxLength: 100 }),
      digits,
      fc.string({ unit: fc.constantFrom(...'0aF+-'), minLength: 43, maxLength: 65 }),
    );
    fc.assert(
      fc.property(fc.constantFrom('', 'sha256=', 'SHA256='), garbage, (prefix, text) => {
        let error: unknown;
        try {
          verifyWebhookSignature('{}', `${prefix}${text}`, SECRET);
        } catch (caught) {
          error = caught;
        }
        expect(error).toBeInstanceOf(WebhookVerificationError);
        expect(String(Reflect.get(Object(error), 'code'))).toMatch(/^signature_/);
      }),
      fuzzRuns(1000),
    );
  });

  it('uses the 64 characters of the secret as the key, not the bytes that they encode', {
    tags: ['webhook.secret-literal'],
  }, () => {
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
    ['with the prefix of another algorithm', `sha1=${sign('{}')}`, 'signature_malformed'],
    ['with two prefixes', `sha256=sha256=${sign('{}')}`, 'signature_malformed'],
    ['only a prefix', 'sha256=', 'signature_malformed'],
    ['base64 in both alphabets', `+_${'A'.repeat(41)}`, 'signature_malformed'],
    ['with a line break', `${sign('{}')}\n`, 'signature_malformed'],
    ['that is not hex', 'g'.repeat(64), 'signature_malformed'],
    ['all zeros', '0'.repeat(64), 'signature_mismatch'],
    ['of Unicode digits', '０'.repeat(64), 'signature_malformed'],
  ])('%s is rejected with its code', (_what, signature, code) => {
    expect(codeOf(() => verifyWebhookSignature('{}', signature, SECRET))).toBe(code);
  });

  it('never matches another body: any changed, added or removed byte is rejected', {
    tags: ['webhook.signature-raw-body'],
  }, () => {
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
      fuzzRuns(100),
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
      fuzzRuns(100),
    );
  });

  it('is compared in constant time, by timingSafeEqual over digests of equal length only', () => {
    const code = readFileSync(new URL('../../src/webhooks/signature.ts', import.meta.url), 'utf8');
    expect(code).toContain('timingSafeEqual(expected, signature)');
    expect(code).not.toMatch(/expected\s*[!=]==|\.equals\(|compare\(/);
  });
});
