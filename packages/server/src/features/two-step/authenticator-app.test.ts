import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { createTotpSecret, findTotpStep, totpAddress, totpCode } from './authenticator-app.js';

/** Secret of the test vectors in RFC 6238, appendix B, for SHA-1. */
const RFC_SECRET = Secret.fromUTF8('12345678901234567890').base32;

/** Times in seconds and the last six of the eight digits in the RFC. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('code of an authenticator app', () => {
  it.each(VECTORS)('at %i seconds is the one of RFC 6238', async (seconds, code) => {
    expect(await totpCode(RFC_SECRET, seconds * 1000)).toBe(code);
    const step = Math.floor(seconds / 30);
    expect(await findTotpStep({ secret: RFC_SECRET, code }, seconds * 1000)).toBe(step);
  });

  it('is accepted one step earlier and later, and not two', async () => {
    const now = 1_111_111_111_000;
    const step = Math.floor(now / 30_000);
    for (const [steps, accepted] of [
      [-2, undefined],
      [-1, step - 1],
      [0, step],
      [1, step + 1],
      [2, undefined],
    ] as const) {
      const code = await totpCode(RFC_SECRET, now + steps * 30_000);
      expect(await findTotpStep({ secret: RFC_SECRET, code }, now)).toBe(accepted);
    }
  });

  it('is rejected with fewer or more digits, or other characters', async () => {
    for (const code of ['', '28708', '2870820', '28708a', '８８８８８８'])
      expect(await findTotpStep({ secret: RFC_SECRET, code }, 59_000)).toBeUndefined();
  });
});

describe('secret of an authenticator app', () => {
  it('is 160 random bits in base32', async () => {
    const [one, other] = [await createTotpSecret(), await createTotpSecret()];
    expect(one).toMatch(/^[A-Z2-7]{32}$/);
    expect(one).not.toBe(other);
  });

  it('is in an address that apps read', async () => {
    const address = await totpAddress({
      secret: RFC_SECRET,
      issuer: 'Ember & Oak',
      account: 'ada@example.com',
    });
    const url = new URL(address);
    expect(url.protocol).toBe('otpauth:');
    expect(address).toMatch(/^otpauth:\/\/totp\/Ember%20%26%20Oak:ada%40example\.com\?/);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Ember & Oak',
      secret: RFC_SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
