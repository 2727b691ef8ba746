import { describe, expect } from 'vitest';
import { authorizePath, publicRequest } from './authorization-flow.js';
import { parsePage } from './pages/page-document.js';
import { it, PUBLIC, type ServiceUnderTest, startService } from './service-under-test.js';

async function stylesheetsOf(service: ServiceUnderTest, path: string): Promise<(string | undefined)[]> {
  const response = await service.browser().get(path);
  expect(response.status).toBe(200);
  const $ = parsePage(await response.text());
  return $('link[rel="stylesheet"]')
    .toArray()
    .map((link) => $(link).attr('href'));
}

const signInFor = (service: ServiceUnderTest) =>
  `/sign-in?${new URLSearchParams({ continue: authorizePath(publicRequest(service)) })}`;

describe('stylesheet of an accent', () => {
  it('is served as CSS that browsers cache forever', async ({ service }) => {
    const response = await service.request('/assets/accent.ffff00.css');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toMatch(/^:root \{\n--accent: #[0-9a-f]{6};/);
  });

  it.for([
    '/assets/accent.FFFF00.css',
    '/assets/accent.ff0.css',
    '/assets/accent.ffff0000.css',
    '/assets/accent.red.css',
    '/assets/accent.ffff00.css/',
    '/assets/accent.%66fff00.css',
    '/assets/accent.ffff0g.css',
    '/assets/accent..css',
    '/assets/accent.ffff00;}body{display:none.css',
  ])('is not found at %s', async (path, { service }) => {
    expect((await service.request(path)).status).toBe(404);
  });

  it('follows the stylesheet of the page on the sign-in pages of a client with an accent', async ({
    service,
  }) => {
    const { operator } = service.server;
    await operator.change('clients', PUBLIC, { accent: '#7A1FA2' });
    expect(await stylesheetsOf(service, signInFor(service))).toEqual([
      expect.stringMatching(/^\/assets\/pages\./),
      '/assets/accent.7a1fa2.css',
    ]);
    expect(await stylesheetsOf(service, '/sign-in')).toHaveLength(1);
  });

  it('of the service is replaced by that of the client', async ({ onTestFinished }) => {
    const service = await startService({ brand: { accent: '#005f73' } });
    onTestFinished(() => service.server.close());
    await service.server.operator.change('clients', PUBLIC, { accent: '#7a1fa2' });
    expect((await stylesheetsOf(service, '/sign-in')).at(-1)).toBe('/assets/accent.005f73.css');
    expect((await stylesheetsOf(service, signInFor(service))).at(-1)).toBe('/assets/accent.7a1fa2.css');
    await service.server.operator.change('clients', PUBLIC, { accent: null });
    expect((await stylesheetsOf(service, signInFor(service))).at(-1)).toBe('/assets/accent.005f73.css');
  });
});
