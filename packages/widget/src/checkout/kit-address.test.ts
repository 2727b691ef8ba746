import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SITE, stubPage } from '../../test/support/stub-page.js';
import { kitAddress, SettingError, sitePath, webAddress } from './kit-requests.js';

beforeEach(() => stubPage());
afterEach(() => void vi.unstubAllGlobals());

describe('the address of the kit for a checkout', () => {
  it.each([
    ['/auth', '/auth/plans'],
    ['/auth//', '/auth/plans'],
    ['auth', 'auth/plans'],
    [`${SITE}/auth`, `${SITE}/auth/plans`],
  ])('for the backend %j is %s', (backend, expected) => {
    expect(kitAddress(backend, 'plans')).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '/',
    '//',
    'https://other.example/auth',
    '//other.example/auth',
    '/\\other.example',
    'http://site.example/auth',
    'https://site.example@other.example',
    'javascript:alert(1)',
    'https://not a host',
  ])('is an error of the setting for the backend %j', (backend) => {
    const error = new SettingError(
      `backend: must be the path of ${SITE} where the kit is mounted, such as "/auth"; got "${backend ?? ''}".`,
    );
    expect(() => kitAddress(backend, 'plans')).toThrow(error);
  });
});

describe('a page of this site', () => {
  it.each([
    ['/a?b=c#d', '/a?b=c#d'],
    ['other', '/club/other'],
    [`${SITE}/a`, '/a'],
    [SITE, '/'],
    [`${SITE}/a//b`, '/a//b'],
  ])('is read from %j as %s', (address, expected) => {
    expect(sitePath(address)).toBe(expected);
  });

  it.each([
    undefined,
    null,
    7,
    { href: '/a' },
    'https://other.example/a',
    '//other.example/a',
    'https://not a host',
    'javascript:alert(1)',
    // As a path alone, it names another host.
    `${SITE}//other.example/a`,
    `${SITE}/\\other.example/a`,
  ])('is never %j', (address) => {
    expect(sitePath(address)).toBeUndefined();
  });
});

describe('the address of a checkout', () => {
  it.each(['https://pay.example/c/1', 'http://localhost:4000/c/1', 'HTTPS://pay.example'])(
    'can be %s',
    (address) => {
      expect(webAddress(address)).toBe(address);
    },
  );

  it.each([
    undefined,
    7,
    '',
    '/c/1',
    '//pay.example/c/1',
    'https:pay.example',
    'https://',
    'https://not a host',
    'javascript:alert(1)//https://pay.example',
    'data:text/html,https://pay.example',
    'ftp://pay.example/c/1',
    'xhttps://pay.example',
    ['https://pay.example/c/1'],
  ])('is never %j', (address) => {
    expect(webAddress(address)).toBeUndefined();
  });
});
