import { describe, expect } from 'vitest';
import { visitRoutes } from '../src/web/kit/areas/area-routes.js';
import { readContinuePath } from '../src/web/kit/areas/continue-path.js';
import { locationOf } from './browser.js';
import { it, startService } from './service-under-test.js';

const FOREIGN_TARGETS = [
  'https://evil.example',
  'HTTPS://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/%2E%2E//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '@evil.example',
  '',
  '/account\r\nSet-Cookie: a=b',
  '/account\u0000',
];

describe('target of a sign-in', () => {
  it('is a path of the service', () => {
    for (const path of [
      '/account',
      '/',
      '/oauth/authorize?client_id=x&state=a%2Fb',
      '/%2F%2Fevil.example',
      '/?a=//b',
    ]) {
      expect(readContinuePath(path)).toBe(path);
    }
  });

  it('is the account page by default', () => {
    expect(readContinuePath(null)).toBe('/account');
  });

  it.for(FOREIGN_TARGETS.map((text) => [text] as const))('is the account page instead of %j', ([text]) => {
    expect(readContinuePath(text)).toBe('/account');
  });

  it('has no fragment, because the service never receives it', () => {
    expect(readContinuePath('/account#//evil.example')).toBe('/account');
  });

  it('stays on the service through every form and redirect', async ({ service }) => {
    for (const continueTo of FOREIGN_TARGETS) {
      const browser = service.browser();
      if (continueTo.includes('\u0000')) {
        // The whole form is rejected.
        const refused = await browser.get(`/sign-in?${new URLSearchParams({ continue: continueTo })}`);
        expect(refused.status).toBe(400);
        continue;
      }
      const page = await browser.get(`/sign-in?${new URLSearchParams({ continue: continueTo })}`);
      expect(await page.text()).not.toContain('evil.example');
      const picked = await browser.post('/sandbox/sign-in', {
        email: 'ada@example.com',
        continue: continueTo,
      });
      expect(locationOf(picked)).toBe('/account');
      const again = await browser.get(`/sign-in?${new URLSearchParams({ continue: continueTo })}`);
      expect(locationOf(again)).toBe('/account');
      const out = await browser.post('/sign-out', { continue: continueTo });
      expect(locationOf(out)).toBe('/account');
    }
  });
});

describe('the location that a page’s handler returns', () => {
  it('is on the service, or the request fails', async ({ onTestFinished }) => {
    const locations = [
      '/account',
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
    ];
    const service = await startService({
      ...{ sandbox: false, mailer: { send: async () => undefined } },
      routes: (needs) =>
        visitRoutes(
          needs,
          Object.fromEntries(
            locations.map((location, index) => [`/extra/${index}`, { get: () => location }]),
          ),
        ),
    });
    onTestFinished(() => service.server.close());
    const answers = await Promise.all(
      locations.map(async (_, index) => {
        const response = await service.request(`/extra/${index}`);
        return [response.status, response.headers.get('location')];
      }),
    );
    expect(answers).toEqual([[303, '/account'], ...locations.slice(1).map(() => [500, null])]);
  });
});
