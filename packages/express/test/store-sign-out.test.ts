import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExpressSessionStore } from '../src/index.js';
import { HOUR } from './manual-clock.js';
import { MapStore } from './map-store.js';
import { type Shop, startShop } from './shop.js';

const shops: Shop[] = [];
async function startWith(store: ExpressSessionStore): Promise<Shop> {
  const shop = await startShop({ options: { session: { store, storeTimeoutMs: 500 } } });
  shops.push(shop);
  return shop;
}
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close();
});
const ada = () => fakeUser('ada@example.com', [fakeMembership()]);
const statusOf = async (shop: Shop, path = '/account') =>
  (await shop.browser.request(`${shop.url}${path}`)).status;

describe('a sign-out', () => {
  const signOut = (shop: Shop) =>
    shop.browser.request(`${shop.url}/auth/logout`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });

  it('revokes the pair that another process received after this one had read the session', {
    tags: ['revoke.token-type-hint'],
  }, async () => {
    const store = new MapStore();
    const user = ada();
    const { promise: marking, resolve: isMarking } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow: ExpressSessionStore = {
      get: (id, done) => store.get(id, done),
      destroy: (id, done) => store.destroy(id, done),
      set: async (id, session, done) => {
        if (id.endsWith('-ended')) {
          isMarking();
          await released;
        }
        store.set(id, session, done);
      },
    };
    const other = await startWith(store);
    const shop = await startShop({
      beside: other,
      options: { appUrl: other.url, session: { store: slow, storeTimeoutMs: 60_000 } },
    });
    shops.unshift(shop);
    await other.signIn(user);
    for (const [name, cookie] of other.browser.cookies) shop.browser.cookies.set(name, cookie);
    other.clock.advance(HOUR);
    const leaving = signOut(shop);
    await marking;
    expect(await statusOf(other)).toBe(200);
    release();
    expect((await leaving).status).toBe(204);
    expect(other.service.hasLiveRefreshToken(user)).toBe(false);
    expect(await statusOf(other)).toBe(401);
  });

  it('during an outage of the store revokes the tokens afterwards, although they could not be read before', async () => {
    const store = new MapStore();
    const user = ada();
    const shop = await startWith(store);
    await shop.signIn(user);
    const { name = '', value = '' } = shop.sessionCookie() ?? {};
    store.get = (_id, done) => done(new Error('gone'));
    store.set = (_id, _session, done) => done?.(new Error('gone'));
    expect((await signOut(shop)).status).toBe(503);
    Reflect.deleteProperty(store, 'get');
    Reflect.deleteProperty(store, 'set');
    await expect
      .poll(() => shop.service.hasLiveRefreshToken(user), { timeout: 15_000, interval: 50 })
      .toBe(false);
    const copy = { cookie: `${name}=${value}` };
    expect((await fetch(`${shop.url}/account`, { headers: copy })).status).toBe(401);
  });
});
