import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SITE, stubPage } from '../../test/support/stub-page.js';
import { callbackAddress, ownRedirectUri } from '../sign-in/request.js';
import { backendUrl, loginUrl } from '../state/kit-address.js';
import { setScriptOrigin } from './addresses.js';

beforeEach(() => stubPage());
afterEach(() => void vi.unstubAllGlobals());

/** Addresses of other sites, and text that is no address. */
const FOREIGN = [
  'https://other.example/auth',
  '//other.example/auth',
  '/\\other.example/auth',
  'http://site.example/auth',
  'https://site.example:8443/auth',
  'https://site.example.other.example/auth',
  'https://site.example@other.example/auth',
  'javascript:alert(1)//',
  'https://not a host',
];

describe('the address of the kit', () => {
  it.each([
    ['/auth', '/auth/session'],
    ['/auth/', '/auth/session'],
    ['/auth//', '/auth/session'],
    ['/a/b', '/a/b/session'],
    ['', '/session'],
    ['auth', 'auth/session'],
    [`${SITE}/auth`, `${SITE}/auth/session`],
  ])('for the backend %j is %s', (backend, expected) => {
    expect(backendUrl(backend, 'session')).toBe(expected);
  });

  it.each(FOREIGN)('is never of another site: %s', (backend) => {
    expect(() => backendUrl(backend, 'session')).toThrow(
      expect.objectContaining({
        code: 'misconfigured',
        message: `backend: must be a path of ${SITE}; got "${backend}".`,
      }),
    );
  });

  it('for a sign-in names the page to return to, with its query and fragment', () => {
    expect(loginUrl('/auth/')).toBe('/auth/login?returnTo=%2Fclub%2Fpage%3Ftab%3D1%23top');
  });
});

describe('a redirect URI of this site', () => {
  it.each([
    ['/callback', `${SITE}/callback`],
    ['callback.html?a=b', `${SITE}/club/callback.html?a=b`],
    [`${SITE}/callback`, `${SITE}/callback`],
  ])('for %j is %s', (address, expected) => {
    expect(ownRedirectUri('return-url', address)).toBe(expected);
  });

  it.each([...FOREIGN, '', '/callback#top', '/callback#'])('is never %j', (address) => {
    expect(() => ownRedirectUri('callback-url', address)).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        message: `callback-url: must be a page of ${SITE} without a fragment; got "${address}".`,
      }),
    );
  });

  it('must be set', () => {
    expect(() => ownRedirectUri('return-url')).toThrow('return-url: must be a page');
  });
});

describe('the page where the popup ends', () => {
  const service = { serviceUrl: 'https://service.example/base', clientId: 'oac_0123456789abcdef01234567' };
  const hosted = 'https://service.example/base/widget/callback/oac_0123456789abcdef01234567';
  const own = `${SITE}/latchkey/callback.html`;
  afterEach(() => setScriptOrigin(undefined as never));

  it.each([
    ['a bundle', undefined, own],
    ['the service', 'https://service.example', hosted],
    ['this site', SITE, own],
    ['a site whose address begins like that of the service', 'https://service.ex', own],
  ])('is, if the script comes from %s: %s → %s', (_, origin, expected) => {
    if (origin) setScriptOrigin(origin);
    expect(callbackAddress(service, undefined)).toBe(expected);
    expect(callbackAddress(service, '')).toBe(expected);
  });

  it('is the callback-url if it is set', () => {
    setScriptOrigin('https://service.example');
    expect(callbackAddress(service, '/done.html')).toBe(`${SITE}/done.html`);
    expect(callbackAddress(service, hosted)).toBe(hosted);
  });

  it.each([`${hosted}/`, 'https://service.example/other', '/done.html#top'])('is never %s', (callbackUrl) => {
    expect(() => callbackAddress(service, callbackUrl)).toThrow('callback-url: must be a page');
  });
});
