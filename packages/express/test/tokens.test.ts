import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LatchkeyOptions } from '../src/index.js';
import { kitOf } from '../src/session/kit.js';
import { HOUR, MINUTE } from './manual-clock.js';
import { MapStore } from './map-store.js';
import { type Shop, type ShopSetup, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(() => {
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

const open = async (setup: ShopSetup) => {
  shop = await startShop(setup);
  await shop.signIn(ada);
};
const refreshes = () => shop.service.count('POST /oauth/token') - 1;
const members = () => shop.browser.request(`${shop.url}/members`);
const session = async () => (await shop.browser.request(`${shop.url}/auth/session`)).json;

describe.each<[string, () => Partial<LatchkeyOptions>]>([
  ['in the cookie', () => ({})],
  ['in a store', () => ({ session: { store: new MapStore() } })],
])('a session without a refresh token, %s', (_place, options) => {
  beforeEach(async () => {
    await open({ options: options() });
    const [name, value] = [...shop.browser.cookies][0] ?? [];
    const store = kitOf(shop.auth)?.store;
    const signedIn = await store?.open(value?.value ?? '');
    if (signedIn === undefined || store === undefined || value === undefined) throw new Error('No session.');
    const { refreshToken: _none, ...tokens } = signedIn.tokens;
    value.value = await store.begin({ ...signedIn, id: store.newId(), tokens });
    shop.browser.cookies.set(String(name), value);
  });

  it('ends with its access token, without an attempt to renew it', async () => {
    shop.clock.advance(HOUR - 1);
    expect((await members()).status).toBe(200);
    expect(await session()).toMatchObject({ signedIn: true });
    shop.clock.advance(1);
    expect(await members()).toMatchObject({ status: 401, json: { error: 'sign_in_required' } });
    const page = await shop.browser.open(`${shop.url}/members`, { follow: false });
    expect(page.headers.get('location')).toBe(`${shop.url}/auth/login?returnTo=%2Fmembers`);
    expect(await session()).toEqual({ signedIn: false, reason: 'expired' });
    expect(await session()).toEqual({ signedIn: false });
    expect(refreshes()).toBe(0);
  });

  it('ends when the service rejects its access token', async () => {
    shop.service.revokeAccessTokens();
    shop.clock.advance(MINUTE);
    expect((await members()).status).toBe(401);
    expect(await session()).toMatchObject({ signedIn: false });
    expect(refreshes()).toBe(0);
  });

  it('revokes its access token at sign-out', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const left = await shop.browser.request(`${shop.url}/auth/logout`, { method: 'POST', headers });
    expect(left.status).toBe(204);
    const form = shop.service.forms().at(-1);
    expect(form?.get('token_type_hint')).toBe('access_token');
    expect(form?.get('token')).not.toBe('undefined');
  });
});

describe('a service that keeps the refresh token', () => {
  it.each<[string, () => Partial<LatchkeyOptions>]>([
    ['in the cookie', () => ({})],
    ['in a store', () => ({ session: { store: new MapStore() } })],
  ])('renews a session %s once an hour, and keeps the times of its use', async (_place, options) => {
    const { session: place } = options();
    const lifetime = { rollingSeconds: 40 * 60 };
    await open({ options: { session: { ...place, ...lifetime }, fetch: withConstantRefreshToken() } });
    for (let round = 1; round <= 12; round += 1) {
      shop.clock.advance(30 * MINUTE);
      expect((await members()).status, `round ${round}`).toBe(200);
    }
    expect(refreshes()).toBe(6);
  });

  it('accepts a late request with the previous cookie', async () => {
    await open({ options: { fetch: withConstantRefreshToken() } });
    const headers = { cookie: shop.browser.headerFor('/') };
    shop.clock.advance(HOUR);
    expect((await members()).status).toBe(200);
    shop.clock.advance(2 * MINUTE);
    expect((await fetch(`${shop.url}/members`, { headers })).status).toBe(200);
  });
});

describe('two processes that renew a session in a cookie at the same time', () => {
  it('reject one request, and the browser stays signed in by the other one [assumes refresh-token-reuse]', async () => {
    await open({});
    const other = await startShop({ beside: shop, options: { appUrl: shop.url } });
    shop.clock.advance(HOUR);
    const headers = { cookie: shop.browser.headerFor('/') };
    const release = shop.service.hold('/oauth/token');
    const answers = [shop, other].map(({ url }) => fetch(`${url}/members`, { headers }));
    await expect.poll(refreshes).toBe(2);
    release();
    const [first, second] = await Promise.all(answers);
    expect([first?.status, second?.status].sort()).toEqual([200, 401]);
    const [cookie = ''] = [first, second].flatMap((answer) => answer?.headers.getSetCookie() ?? []);
    shop.clock.advance(2 * MINUTE);
    for (const { url } of [shop, other]) {
      const page = await fetch(`${url}/members`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
      expect(page.status).toBe(200);
    }
    await other.close();
  });
});

/** A `fetch` to a service that returns the same refresh token with every new access token. */
function withConstantRefreshToken(): typeof fetch {
  let newest = '';
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.endsWith('/oauth/token')) return fetch(request);
    const form = new URLSearchParams(await request.text());
    if (form.has('refresh_token')) form.set('refresh_token', newest);
    const { method, headers } = request;
    const response = await fetch(request.url, { method, headers, body: form.toString() });
    const pair = (await response.json()) as Record<string, string>;
    newest = pair.refresh_token ?? newest;
    return Response.json({ ...pair, refresh_token: 'stays' }, { status: response.status });
  };
}
