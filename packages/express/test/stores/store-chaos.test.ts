import { setTimeout as pause } from 'node:timers/promises';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { SessionLock } from '../../src/index.js';
import { NAVIGATION } from '../browser.js';
import { HOUR } from '../manual-clock.js';
import { type Shop, startShop } from '../shop.js';
import { type FlakyLine, flakyLine } from './flaky-line.js';
import { type OpenStore, openRedis } from './store-servers.js';

/** Long enough for a busy machine, short enough to wait for. */
const STORE_TIMEOUT_MS = 700;

let line: FlakyLine;
let near: OpenStore;
let shop: Shop;
/** Another process of the app, whose connection never breaks. */
let far: OpenStore;
let other: Shop;
let ada: FakeUser;
beforeEach(async () => {
  const url = new URL(inject('redis'));
  line = await flakyLine(Number(url.port));
  url.port = `${line.port}`;
  near = await openRedis({ url: url.href });
  far = await openRedis({ prefix: near.address.prefix });
  const session = (store: OpenStore) => ({
    store: store.store,
    lock: store.lock,
    storeTimeoutMs: STORE_TIMEOUT_MS,
  });
  shop = await startShop({ options: { session: session(near) } });
  other = await startShop({ beside: shop, options: { appUrl: shop.url, session: session(far) } });
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(async () => {
  await other.close();
  await shop.close();
  await near.close();
  await far.close();
  await line.close();
});

const open = (path: string, headers: Record<string, string> = {}, at = shop) =>
  shop.browser.request(`${at.url}${path}`, { headers });
const refreshes = () =>
  shop.service.forms().filter((form) => form.get('grant_type') === 'refresh_token').length;
const logout = () =>
  shop.browser.request(`${shop.url}/auth/logout`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
const isBack = () => expect.poll(async () => (await open('/account')).status, { timeout: 10_000 }).toBe(200);

describe.each(['cut', 'freeze'] as const)('while the connection to the store has the fault %s', (fault) => {
  it('gates respond with 503 in time, public pages work, and all recovers', async () => {
    await shop.signIn(ada);
    line[fault]();
    const startedAt = performance.now();
    expect(await open('/account')).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
    expect(performance.now() - startedAt).toBeLessThan(STORE_TIMEOUT_MS + 3000);
    const page = await open('/members', NAVIGATION);
    expect(page.status).toBe(503);
    expect(page.text).toContain('Try again');
    expect((await open('/auth/session')).status).toBe(503);
    expect(await open('/')).toMatchObject({ status: 200, text: 'Hello stranger' });
    expect(shop.log.map(({ message }) => message)).toEqual([
      'Sessions cannot be read from the store. See: latchkey explain store_unavailable',
    ]);
    expect(shop.browser.cookies.size).toBe(1);
    line.mend();
    await isBack();
  });

  it('sign-in fails, and the issued tokens are revoked', { tags: ['revoke.token-type-hint'] }, async () => {
    line[fault]();
    const page = await shop.signIn(ada);
    expect(page.status).toBe(503);
    expect(shop.sessionCookie()).toBeUndefined();
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
    expect((await shop.exchange(shop.popupCode(ada))).status).toBe(503);
    expect(shop.sessionCookie()).toBeUndefined();
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
  });

  it('sign-out reports an incomplete result: the cookie is deleted at once, the record after the outage', async () => {
    await shop.signIn(ada);
    const copy = { cookie: shop.browser.headerFor('/') };
    line[fault]();
    expect((await logout()).status).toBe(503);
    expect(shop.sessionCookie()).toBeUndefined();
    line.mend();
    const elsewhere = async () => (await fetch(`${other.url}/account`, { headers: copy })).status;
    await expect.poll(elsewhere, { timeout: 15_000 }).toBe(401);
    expect((await fetch(`${shop.url}/account`, { headers: copy })).status).toBe(401);
  });

  it('a completed refresh is kept: this process uses it, and the others after the outage', {
    tags: ['credentials.refresh-rotates'],
  }, async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const release = shop.service.hold('/oauth/token');
    const renewing = open('/account');
    await expect.poll(refreshes, { timeout: 10_000 }).toBe(1);
    line[fault]();
    release();
    expect((await renewing).status).toBe(200);
    expect(shop.log.map(({ message }) => message).join()).toContain('keeps it in memory and retries');
    line.mend();
    await isBack();
    await expect.poll(async () => (await open('/account', {}, other)).status, { timeout: 15_000 }).toBe(200);
    expect(refreshes()).toBe(1);
  });
});

describe('a refresh', () => {
  it('is not sent if the lock is taken, and the token stays valid', async () => {
    const failing = await startShop({
      beside: shop,
      options: {
        appUrl: shop.url,
        session: { store: far.store, lock: { acquire: () => Promise.reject(new Error('no quorum')) } },
      },
    });
    await shop.signIn(ada);
    shop.clock.advance(HOUR - 30_000);
    expect((await open('/account', {}, failing)).status).toBe(200);
    shop.clock.advance(30_000);
    expect((await open('/account', {}, failing)).status).toBe(503);
    expect(refreshes()).toBe(0);
    expect((await open('/account')).status).toBe(200);
    expect(refreshes()).toBe(1);
    await failing.close();
  });

  it('is not sent if the lock does not respond, and visitors do not wait long', async () => {
    const hanging = await startShop({
      beside: shop,
      options: {
        appUrl: shop.url,
        session: {
          store: far.store,
          lock: { acquire: () => new Promise(() => {}) },
          storeTimeoutMs: STORE_TIMEOUT_MS,
        },
      },
    });
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    expect((await open('/account', {}, hanging)).status).toBe(503);
    expect(refreshes()).toBe(0);
    await hanging.close();
  });

  it('whose lock expires is not lost: a rejected process receives its successor', {
    tags: ['credentials.refresh-replay-invalid-grant'],
  }, async () => {
    // A lock without effect represents one that has expired for all but its holder.
    const loose = (store: OpenStore) => ({
      store: store.store,
      lock: { acquire: async () => async () => {} },
    });
    const first = await startShop({ beside: shop, options: { appUrl: shop.url, session: loose(far) } });
    const second = await startShop({ beside: shop, options: { appUrl: shop.url, session: loose(far) } });
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    let asked = 0;
    shop.service.on('/oauth/token', () => {
      asked += 1;
      return { kind: 'slow', delayMs: asked === 1 ? 300 : 0 };
    });
    const slow = open('/account', {}, first);
    await expect.poll(() => asked).toBe(1);
    expect((await open('/account', {}, second)).status).toBe(200);
    expect((await slow).status).toBe(200);
    expect(refreshes()).toBe(2);
    expect((await open('/account')).status).toBe(200);
    expect(refreshes()).toBe(2);
    await first.close();
    await second.close();
  });

  it('waits for the lock of a killed process to expire', async () => {
    let key = '';
    const lock: SessionLock = {
      acquire(name, ttlMs) {
        key = name;
        return far.lock.acquire(name, ttlMs);
      },
    };
    const surviving = await startShop({
      beside: shop,
      options: { appUrl: shop.url, session: { store: far.store, lock } },
    });
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    expect((await open('/account', {}, surviving)).status).toBe(200);
    shop.clock.advance(HOUR);
    const startedAt = performance.now();
    await near.lock.acquire(key, 400);
    expect((await open('/account', {}, surviving)).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(390);
    expect(refreshes()).toBe(2);
    await surviving.close();
  });

  it('waits for the holder of the lock and uses its result without calling the service', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const release = shop.service.hold('/oauth/token');
    const both = [open('/account'), open('/account', {}, other)];
    await expect.poll(refreshes).toBe(1);
    await pause(150);
    release();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    expect(refreshes()).toBe(1);
  });
});
