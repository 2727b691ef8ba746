import { describe, expect, it } from 'vitest';
import { returnAddress } from '../src/sign-in/return-to.js';

const app = { appOrigin: 'https://shop.example', appPath: '', mountPath: '/auth' };
const root = 'https://shop.example/';

describe('returnTo', () => {
  it.each([
    ['/', root],
    ['/table?roast=dark#top', 'https://shop.example/table?roast=dark#top'],
    ['/a/../b', 'https://shop.example/b'],
    [
      '/caf%C3%A9?to=https://elsewhere.example',
      'https://shop.example/caf%C3%A9?to=https://elsewhere.example',
    ],
    ['/author', 'https://shop.example/author'],
    ['https://shop.example/table?roast=dark', 'https://shop.example/table?roast=dark'],
    ['/table?q=dark roast', 'https://shop.example/table?q=dark%20roast'],
    ['/ /evil.example', 'https://shop.example/%20/evil.example'],
    ['/auth/checkout/return?plan=x', 'https://shop.example/auth/checkout/return?plan=x'],
    ['/@evil.example', 'https://shop.example/@evil.example'],
    [`/${'a'.repeat(1999)}`, `https://shop.example/${'a'.repeat(1999)}`],
    [`/table?q=${'%E8%B1%86'.repeat(115)}`, `https://shop.example/table?q=${'%E8%B1%86'.repeat(115)}`],
    [`/table?utm=${'a'.repeat(1999)}`, 'https://shop.example/table'],
    [`/table?q=${'豆'.repeat(400)}`, 'https://shop.example/table'],
    [`/table#${'a'.repeat(1999)}`, 'https://shop.example/table'],
  ])('accepts %s', (wanted, address) => {
    expect(returnAddress(wanted, app)).toBe(address);
  });

  it.each([
    ['another scheme and host', 'https://evil.example/'],
    ['a scheme without slashes', 'https:evil.example'],
    ['javascript:', 'javascript:alert(1)'],
    ['data:', 'data:text/html,hi'],
    ['a protocol-relative address', '//evil.example'],
    ['three slashes', '///evil.example'],
    ['a slash and a backslash', '/\\evil.example'],
    ['two backslashes', '\\\\evil.example'],
    ['a backslash further on', '/a\\..\\..\\evil.example'],
    ['a tab between the slashes', '/\t/evil.example'],
    ['a line feed between the slashes', '/\n/evil.example'],
    ['a carriage return', '/\r\nSet-Cookie: a=b'],
    ['a null byte', '/\0/evil.example'],
    ['leading white space', ' //evil.example'],
    ['user information', '//shop.example@evil.example'],
    ['dots that become two slashes', '/.//evil.example'],
    ['dots up that become two slashes', '/a/..//evil.example'],
    ['encoded dots that become two slashes', '/%2e//evil.example'],
    ['a relative path', 'table'],
    ['a relative path of two parts', 'shop/table'],
    ['an own address with another scheme', 'http://shop.example/table'],
    ['an own address with another port', 'https://shop.example:8443/table'],
    ['a host that begins like the own one', 'https://shop.example.evil.example/'],
    ['an own address with two slashes', 'https://shop.example//evil.example'],
    ['the sign-in itself with its origin', 'https://shop.example/auth/login'],
    ['nothing', ''],
    ['a list', ['/table', '//evil.example']],
    ['an object', { a: '/' }],
    ['undefined', undefined],
    ['the sign-in itself, which would never end', '/auth/login'],
    ['the sign-in in another letter case', '/AUTH/Login'],
    ['the sign-in behind dots', '/table/../auth/login'],
    ['the mount path', '/auth'],
    ['another page of the checkout', '/auth/checkout/cancelled'],
    ['a path behind that of the checkout', '/auth/checkout/return/../../logout'],
    ['a path of more than 2,000 characters', `/${'a'.repeat(2000)}`],
  ])('falls back to the root for %s', (_name, wanted) => {
    expect(returnAddress(wanted, app)).toBe(root);
  });

  it('keeps encoded slashes encoded, so that they stay within the path', () => {
    for (const wanted of ['/%2F%2Fevil.example', '/%5Cevil.example', '/%09/evil.example']) {
      const address = returnAddress(wanted, app);
      expect(address).toBe(`https://shop.example${wanted}`);
      expect(new URL(address).origin).toBe(app.appOrigin);
    }
  });

  it('returns an address of the app for every mixture of the characters that browsers treat specially', () => {
    const pieces = [
      '/',
      '\\',
      '.',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '@',
      ':',
      'evil.example',
      '?',
      '#',
      'https:',
      'https://shop.example',
      '%00',
      ' ',
    ];
    // Linear congruential generator: every run uses the same mixtures.
    let seed = 42;
    const next = () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed;
    };
    for (let round = 0; round < 20_000; round += 1) {
      const wanted = Array.from({ length: 1 + (next() % 7) }, () => pieces[next() % pieces.length]).join('');
      const address = returnAddress(wanted, app);
      expect(new URL(address, 'https://shop.example/auth/callback').origin, JSON.stringify(wanted)).toBe(
        app.appOrigin,
      );
      expect(address).toMatch(/^https:\/\/shop\.example\/(?!\/)/);
    }
  });
});
