import { describe, expect } from 'vitest';
import { authorizePath, publicRequest, signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { it, PUBLIC } from './service-under-test.js';

const POSTS = [
  '/sign-in/code',
  '/sign-in/verify',
  '/sign-out',
  '/oauth/consent',
  '/account/apps/revoke',
  '/account/sessions/end',
  '/developer/webhooks/x/switch-off',
  '/developer/webhooks/x/resume',
  '/developer/webhooks/deliveries/x/redeliver',
  '/sandbox/sign-in',
  '/sandbox/clock',
  '/sandbox/redirect-uris',
];

/** Paths that also accept GET, for the page with the form. */
const PAGES_WITH_FORMS = [
  '/account/memberships/x/cancel',
  '/account/profile',
  '/developer/api-keys',
  '/developer/api-keys/x/revoke',
  '/developer/clients',
  '/developer/clients/x',
  '/developer/clients/x/type/public',
  '/developer/clients/x/type/confidential',
  '/developer/clients/x/secret',
  '/developer/clients/x/delete',
  '/developer/webhooks',
  '/developer/webhooks/x',
  '/developer/webhooks/x/delete',
];

const EVIL = 'https://evil.example';

describe('form post', () => {
  it.for([...POSTS, ...PAGES_WITH_FORMS].map((path) => [path] as const))(
    'to %s gets an error page unless it comes from the service’s own pages',
    async ([path], { service }) => {
      const browser = await signedIn(service);
      const fields = {
        ...publicRequest(service),
        decision: 'allow',
        email: 'ben@example.com',
        advance: '1h',
        clientId: PUBLIC,
      };
      for (const headers of [
        {},
        { origin: EVIL },
        { origin: 'null' },
        { origin: `${service.baseUrl}.evil.example` },
        { origin: service.baseUrl.replace(/:\d+$/, ':1') },
        { origin: service.baseUrl, 'sec-fetch-site': 'cross-site' },
        { origin: service.baseUrl, 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
      ]) {
        const response = await browser.post(path, fields, headers as Record<string, string>);
        expect(response.status, JSON.stringify(headers)).toBe(403);
        expect(response.headers.get('content-type')).toContain('text/html');
        expect(response.headers.getSetCookie()).toEqual([]);
      }
      expect(locationOf(await browser.get(authorizePath(publicRequest(service))))).toMatch(
        /^\/oauth\/consent/,
      );
      expect(service.server.clock.now()).toBe(service.clock.now());
      expect(service.server.mailbox?.list()).toEqual([]);
    },
  );

  it('is accepted with Sec-Fetch-Site same-origin, or without it with the service’s own Origin', async ({
    service,
  }) => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: service.baseUrl }]) {
      const browser = service.browser();
      const response = await browser.post(
        '/sandbox/sign-in',
        { email: 'ada@example.com' },
        headers as Record<string, string>,
      );
      expect(response.status).toBe(303);
    }
  });

  it('is never accepted as a GET', async ({ service }) => {
    const browser = await signedIn(service);
    const pages = ['/oauth/consent', '/sign-in/verify', '/sandbox/clock'];
    for (const path of POSTS.filter((path) => !pages.includes(path))) {
      const response = await browser.get(`${path}?email=ben@example.com&advance=1h&clientId=${PUBLIC}`);
      expect(response.status, path).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    }
    for (const path of pages)
      await browser.get(`${path}?email=ben@example.com&duration=1h&clientId=${PUBLIC}`);
    expect(service.server.clock.now()).toBe(service.clock.now());
    expect((await browser.get('/account')).status).toBe(200);
  });
});
