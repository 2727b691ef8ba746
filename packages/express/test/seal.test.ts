import { describe, expect, it } from 'vitest';
import { createSeal } from '../src/session/seal.js';
import { otherSpellings } from './other-spellings.js';

const secret = 'a secret of more than thirty-two characters';

describe('a seal', () => {
  it('opens its own values, and encrypts the same value differently each time', async () => {
    const seal = createSeal([secret], 'session');
    const [one, two] = [await seal.seal({ a: 1 }), await seal.seal({ a: 1 })];
    expect(one).not.toBe(two);
    expect([await seal.open(one), await seal.open(two)]).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it('does not open values of another purpose or secret', async () => {
    const sealed = await createSeal([secret], 'session').seal({ a: 1 });
    expect(await createSeal([secret], 'sign-in').open(sealed)).toBeUndefined();
    expect(await createSeal([`${secret}!`], 'session').open(sealed)).toBeUndefined();
    expect(await createSeal([`${secret}!`, secret], 'session').open(sealed)).toEqual({ a: 1 });
  });

  it('opens in one spelling only', async () => {
    const seal = createSeal([secret], 'session');
    // Three lengths, because the last characters have 0, 2 or 4 unused bits.
    for (const content of ['a', 'ab', 'abc']) {
      const sealed = await seal.seal({ content });
      expect(await seal.open(sealed)).toEqual({ content });
      for (const [what, text] of otherSpellings(sealed)) expect(await seal.open(text), what).toBeUndefined();
      const [header = '', ...rest] = sealed.split('.');
      const { alg, enc, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
      for (const json of [
        JSON.stringify({ kid, enc, alg }),
        `{"alg":"${alg}","enc":"${enc}", "kid":"${kid}"}`,
      ]) {
        const other = [Buffer.from(json).toString('base64url'), ...rest].join('.');
        expect(await seal.open(other), json).toBeUndefined();
      }
    }
  });

  it('accepts no other algorithm from the header', async () => {
    const seal = createSeal([secret], 'session');
    const [header = '', ...rest] = (await seal.seal({ a: 1 })).split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    for (const other of [
      { alg: 'none', enc: 'A256GCM', kid },
      { alg: 'A256KW', enc: 'A256GCM', kid },
      { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', kid, p2c: 10_000_000, p2s: 'AAAA' },
      { alg: 'dir', enc: 'A128GCM', kid },
      { alg: 'dir', enc: 'A256GCM', kid: 'unknown' },
      { alg: 'dir', enc: 'A256GCM', kid, zip: 'DEF' },
    ]) {
      const altered = [Buffer.from(JSON.stringify(other)).toString('base64url'), ...rest].join('.');
      expect(await seal.open(altered), JSON.stringify(other)).toBeUndefined();
    }
  });
});
