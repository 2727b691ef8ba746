import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExpressSessionStore } from '../../src/index.js';
import { Browser } from '../browser.js';
import { COOKIE_SECRET } from '../cookie-secret.js';
import { DAY, HOUR, MINUTE } from '../manual-clock.js';
import { type Shop, type ShopSetup, startShop } from '../shop.js';
import { type OpenStore, openStore, type StoreKind } from './store-servers.js';

/** Counts the calls to a store. */
function counting(store: ExpressSessionStore): ExpressSessionStore & { calls: string[] } {
  const calls: string[] = [];
  const counted =
    <Parameters extends unknown[]>(name: string, call: (...parameters: Parameters) => unknown) =>
    (...parameters: Parameters) => {
      calls.push(name);
      return call(...parameters);
    };
  return {
    calls,
    get: counted('get', store.get.bind(store)),
    set: counted('set', store.set.bind(store)),
    destroy: counted('destroy', store.destroy.bind(store)),
    touch: counted('touch', (id, session, done) => store.touch?.(id, session, done)),
  };
}

describe.each<StoreKind>(['Redis', 'PostgreSQL'])('a session in %s', (kind) => {
  let opened: OpenStore;
  let shops: Shop[];
  let ada: FakeUser;
  beforeEach(async () => {
    opened = await openStore(kind);
    shops = [];
    ada = fakeUser('ada@example.com', [fakeMembership()]);
  });
  afterEach(async () => {
    for (const shop of shops.reverse()) await shop.close();
    await opened.close();
  });

  /** Starts a process of the app. The first one starts the service. */
  async function start({ options = {}, ...setup }: ShopSetup = {}): Promise<Shop> {
    const [first] = shops;
    // Other tests keep the store's server busy.
    const session = { store: opened.store, lock: opened.lock, storeTimeoutMs: 20_000, ...options.session };
    const shop = await startShop({
      ...setup,
      ...(first === undefined ? {} : { beside: first }),
      options: { ...(first === undefined ? {} : { appUrl: first.url }), ...options, session },
    });
    shops.push(shop);
    return shop;
  }
  const at = (shop: Shop, path: string, by: Browser) => by.request(`${shop.url}${path}`);
  const refreshes = (shop: Shop) =>
    shop.service.forms().filter((form) => form.get('grant_type') === 'refresh_token').length;

  it('is available in every process, and the cookie contains only a signed reference', async () => {
    const shop = await start();
    const other = await start();
    await shop.signIn(ada);
    expect(shop.sessionCookie()?.value).toMatch(/^[\w-]{43}\.[0-9a-z]{8}\.[\w-]{43}$/);
    expect(shop.sessionCookie()?.header).toMatch(/; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    expect(await at(other, '/members', shop.browser)).toMatchObject({
      status: 200,
      text: 'The table is set',
    });
    expect(await at(other, '/auth/session', shop.browser)).toMatchObject({
      json: { signedIn: true, user: { email: 'ada@example.com' } },
    });
  });

  it('is useless to a reader of the store: keys are hashes and contents are encrypted', {
    tags: ['credentials.opaque-tokens'],
  }, async () => {
    const shop = await start();
    await shop.signIn(ada);
    const { name = '', value = '' } = shop.sessionCookie() ?? {};
    const [id = '', seenAt, mac] = value.split('.');
    const [record] = await opened.contents();
    const stored = JSON.stringify(record);
    for (const secret of [id, mac ?? '', 'ada@example.com', ada.sub]) expect(stored).not.toContain(secret);
    const forged = { cookie: `${name}=${record?.key}.${seenAt}.${mac}` };
    expect((await new Browser().request(`${shop.url}/account`, { headers: forged })).status).toBe(401);
  });

  it('cannot be swapped with another one in the store or moved to another key', async () => {
    const shop = await start();
    const mallory = new Browser();
    await shop.signIn(fakeUser('mallory@example.com'), { browser: mallory });
    const [hers] = await opened.contents();
    await shop.signIn(ada);
    const adas = (await opened.contents()).find(({ key }) => key !== hers?.key);
    await opened.overwrite(hers?.key ?? '', adas?.text ?? '');
    expect((await at(shop, '/', mallory)).text).toBe('Hello stranger');
    expect(shop.log.at(-1)?.message).toContain('cannot be read');
    expect((await at(shop, '/', shop.browser)).text).toBe('Hello ada@example.com');
  });

  it('is read from the store only for a cookie that the app has signed', async () => {
    const store = counting(opened.store);
    const shop = await start({ options: { session: { store } } });
    await shop.signIn(ada);
    const { name = '', value = '' } = shop.sessionCookie() ?? {};
    const before = store.calls.length;
    const other = value.startsWith('A') ? 'B' : 'A';
    for (const forged of [
      `${other}${value.slice(1)}`,
      value.slice(0, -2),
      `${value}x`,
      '..',
      'x',
      'a'.repeat(5000),
    ]) {
      const page = await new Browser().request(`${shop.url}/account`, {
        headers: { cookie: `${name}=${forged}` },
      });
      expect(page.status, forged.slice(0, 100)).toBe(401);
    }
    expect(store.calls.length).toBe(before);
  });

  it('is written at its start and at each token refresh only', async () => {
    const store = counting(opened.store);
    const shop = await start({ options: { session: { store } } });
    await shop.signIn(ada, { path: '/members' });
    expect(store.calls.filter((call) => call !== 'get')).toEqual(['set']);
    shop.clock.advance(HOUR / 2);
    for (const path of ['/', '/members', '/account', '/auth/session']) {
      expect((await at(shop, path, shop.browser)).headers.getSetCookie(), path).toEqual([]);
    }
    expect(store.calls.filter((call) => call !== 'get')).toEqual(['set']);
    shop.clock.advance(HOUR / 2);
    expect((await at(shop, '/members', shop.browser)).headers.getSetCookie()).toHaveLength(1);
    expect(store.calls.filter((call) => call !== 'get')).toEqual(['set', 'set']);
    expect(refreshes(shop)).toBe(1);
  });

  it('is kept in the store for the rolling lifetime, limited by the absolute one', async () => {
    const shop = await start();
    await shop.signIn(ada);
    const lifeLeft = async () => Math.round(((await opened.contents())[0]?.expiresInMs ?? 0) / MINUTE);
    expect(await lifeLeft()).toBe((7 * DAY) / MINUTE);
    for (let day = 0; day < 27; day += 1) {
      shop.clock.advance(DAY);
      expect((await at(shop, '/account', shop.browser)).status).toBe(200);
    }
    expect(await lifeLeft()).toBe((3 * DAY) / MINUTE);
  });

  it('is extended by use, and ends when idle and at its absolute end, whatever the store contains', async () => {
    const shop = await start({ options: { session: { rollingSeconds: 600, absoluteSeconds: 3000 } } });
    const other = await start({ options: { session: { rollingSeconds: 600, absoluteSeconds: 3000 } } });
    await shop.signIn(ada);
    const use = (by = shop.browser) => at(other, '/account', by);
    shop.clock.advance(74_999);
    expect((await use()).headers.getSetCookie()).toEqual([]);
    shop.clock.advance(1);
    expect((await use()).headers.getSetCookie()).toHaveLength(1);
    const unused = shop.browser.headerFor('/');
    shop.clock.advance(599_999);
    expect((await use()).status).toBe(200);
    shop.clock.advance(1);
    const late = await fetch(`${shop.url}/account`, { headers: { cookie: unused } });
    expect(late.status).toBe(401);
    for (let step = 0; step < 4; step += 1) {
      shop.clock.advance(550_000);
      expect((await use()).status, `step ${step}`).toBe(200);
    }
    shop.clock.advance(550_000);
    expect((await use()).status).toBe(401);
    expect(refreshes(shop)).toBe(0);
  });

  it('extended by one process does not undo the refresh of another', async () => {
    const session = { rollingSeconds: 8 * 3600 };
    const shop = await start({ options: { session } });
    const other = await start({ options: { session } });
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    // Due in both: one process renews while the other only extends the lifetime.
    await Promise.all([at(other, '/members', shop.browser), at(shop, '/members', shop.browser)]);
    shop.clock.advance(HOUR);
    await Promise.all([at(shop, '/members', shop.browser), at(other, '/members', shop.browser)]);
    expect(refreshes(shop)).toBe(2);
    expect((await at(shop, '/members', shop.browser)).status).toBe(200);
  });

  it('that is signed out ends everywhere at once, including copies of its cookie', {
    tags: ['revoke.token-type-hint'],
  }, async () => {
    const shop = await start();
    const other = await start();
    await shop.signIn(ada);
    const copy = { cookie: shop.browser.headerFor('/') };
    const logout = await shop.browser.request(`${shop.url}/auth/logout`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(logout.status).toBe(204);
    expect((await fetch(`${other.url}/account`, { headers: copy })).status).toBe(401);
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
    expect((await opened.contents()).map(({ key }) => key)).toEqual([expect.stringMatching(/-ended$/)]);
  });

  it('that is signed out while another process renews it stays signed out, and the new tokens are revoked', async () => {
    const shop = await start();
    const other = await start();
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const copy = { cookie: shop.browser.headerFor('/') };
    const release = shop.service.hold('/oauth/token');
    const renewing = fetch(`${other.url}/account`, { headers: copy });
    while (refreshes(shop) === 0) await new Promise(setImmediate);
    const logout = await shop.browser.request(`${shop.url}/auth/logout`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(logout.status).toBe(204);
    release();
    expect((await renewing).status).toBe(401);
    for (const each of [shop, other]) {
      expect((await fetch(`${each.url}/account`, { headers: copy })).status).toBe(401);
    }
    while (shop.service.hasLiveRefreshToken(ada)) await new Promise(setImmediate);
  });

  it('has a new id at every sign-in, and the previous one expires within a minute (session fixation)', async () => {
    const shop = await start();
    const mallory = new Browser();
    await shop.signIn(fakeUser('mallory@example.com'), { browser: mallory });
    const { name = '', value = '', header = '' } = shop.sessionCookie(mallory) ?? {};
    shop.browser.cookies.set(name, { value, path: '/', header });
    await shop.signIn(ada);
    expect(shop.sessionCookie()?.value.split('.')[0]).not.toBe(value.split('.')[0]);
    expect((await at(shop, '/', mallory)).text).toBe('Hello mallory@example.com');
    expect((await at(shop, '/', shop.browser)).text).toBe('Hello ada@example.com');
    await expect
      .poll(async () =>
        (await opened.contents())
          .filter(({ key }) => !key.endsWith('-retired'))
          .map(({ expiresInMs }) => expiresInMs <= MINUTE + 1000)
          .sort(),
      )
      .toEqual([false, true]);
  });

  it('that was replaced while another process renews it also expires within a minute', async () => {
    const shop = await start();
    const other = await start();
    await shop.signIn(ada);
    const [replaced] = await opened.contents();
    shop.clock.advance(HOUR);
    const release = shop.service.hold('/oauth/token');
    const renewing = fetch(`${other.url}/account`, { headers: { cookie: shop.browser.headerFor('/') } });
    while (refreshes(shop) === 0) await new Promise(setImmediate);
    // Later responses are not held. The response to the refresh is held until the sign-in is complete.
    shop.service.hold('/oauth/token')();
    await shop.signIn(ada);
    release();
    expect((await renewing).status).toBe(200);
    await expect
      .poll(async () => (await opened.contents()).find(({ key }) => key === replaced?.key)?.expiresInMs ?? 0)
      .toBeLessThanOrEqual(MINUTE + 1000);
  });

  it('opens with every listed secret, which allows rotation', async () => {
    const before = await start();
    await before.signIn(ada);
    const newSecret = `${COOKIE_SECRET}, the next one`;
    const rotating = await start({ options: { cookieSecret: [newSecret, COOKIE_SECRET] } });
    expect((await at(rotating, '/', before.browser)).text).toBe('Hello ada@example.com');
    const after = await start({ options: { cookieSecret: newSecret } });
    expect((await at(after, '/', before.browser)).text).toBe('Hello stranger');
    // A session in use is signed and encrypted with the new secret over time.
    before.clock.advance(DAY);
    expect((await at(rotating, '/account', before.browser)).status).toBe(200);
    expect((await at(after, '/', before.browser)).text).toBe('Hello ada@example.com');
  });

  it('of another instance with the same store and secret does not open', async () => {
    const shop = await start();
    const other = await start({ client: 'public' });
    await shop.signIn(ada);
    await other.signIn(fakeUser('ben@example.com'));
    const crossed = `${other.sessionCookie()?.name}=${shop.sessionCookie()?.value}`;
    expect((await new Browser().request(`${other.url}/`, { headers: { cookie: crossed } })).text).toBe(
      'Hello stranger',
    );
  });

  it('whose refresh token is rejected ends in the store too: no process sends the token again', async () => {
    const shop = await start();
    const other = await start();
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(HOUR);
    const statuses = [];
    for (const each of [shop, other, shop, other])
      statuses.push((await at(each, '/account', shop.browser)).status);
    expect(statuses).toEqual([401, 401, 401, 401]);
    expect(refreshes(shop)).toBe(1);
    expect(await opened.contents()).toEqual([]);
  });
});
