import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Browser } from './browser.js';
import { getRaw } from './raw-request.js';
import { type Shop, startShop } from './shop.js';

const HOST = 'shop.localhost:4402';
const APP_URL = `http://${HOST}`;
const ada = fakeUser('ada@example.com', [fakeMembership()]);

// The app is opened on 127.0.0.1, and its appUrl names another host.
let shop: Shop;
beforeEach(async () => {
  shop = await startShop({ options: { appUrl: APP_URL, scopes: ['memberships.read', 'products.read'] } });
});
afterEach(() => shop.close());

/** Sends a login request with a Host header. Returns the target of its redirect. */
async function login(path: string, headers: Record<string, string> = {}): Promise<URL> {
  const { status, headers: received } = await getRaw(shop.url, path, headers);
  expect(status).toBe(302);
  return new URL(received.location ?? '');
}

it('a login on another host redirects to the same login on the host of appUrl', async () => {
  const moved = await login('/auth/login?returnTo=%2Fmembers%3Fa%3D1&scope=products.read&switch');
  expect(moved.origin).toBe(APP_URL);
  expect(moved.pathname).toBe('/auth/login');
  expect(moved.searchParams.get('returnTo')).toBe('/members?a=1');
  expect(moved.searchParams.get('scope')).toBe('products.read');
  expect(moved.searchParams.has('switch')).toBe(true);
});

it('a login on the host of appUrl redirects to the service', async () => {
  expect((await login('/auth/login', { host: HOST })).pathname).toBe('/oauth/authorize');
});

it('a visitor who opens the app on another host is signed in', async () => {
  shop.service.visitor = ada;
  const browser = new Browser();
  browser.hosts.set(HOST, shop.url);
  const page = await browser.open(`${shop.url}/auth/login?returnTo=%2Fmembers`);
  expect(page).toMatchObject({ status: 200, url: `${APP_URL}/members`, text: 'The table is set' });
});

it('a proxy that replaces the Host header causes one redirect, not a loop', async () => {
  const upstream = { host: 'upstream.internal' };
  const moved = await login('/auth/login?returnTo=%2Fmembers', upstream);
  const next = await login(`${moved.pathname}${moved.search}`, upstream);
  expect(next.pathname).toBe('/oauth/authorize');
});

it('a proxy that sends X-Forwarded-Host causes no redirect', async () => {
  const next = await login('/auth/login', { host: 'upstream.internal', 'x-forwarded-host': HOST });
  expect(next.pathname).toBe('/oauth/authorize');
});

it.each([
  '?returnTo=//evil.example',
  '?moved=https://evil.example',
  '?x=%0d%0aLocation:%20https://evil.example',
])('no login redirects to another site: %s', async (query) => {
  const origins = [APP_URL, new URL(shop.service.url).origin];
  expect(origins).toContain((await login(`/auth/login${query}`)).origin);
});
