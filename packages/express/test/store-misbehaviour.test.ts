import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { MemoryStore } from 'express-session';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExpressSessionStore, SessionLock, StoredSession } from '../src/index.js';
import { DAY, HOUR } from './manual-clock.js';
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

describe('a store without touch', () => {
  it('keeps records for the absolute lifetime, and idle sessions expire nevertheless', async () => {
    const store = new MapStore();
    const shop = await startWith(store);
    await shop.signIn(ada());
    const [record] = store.records.values();
    expect(record?.cookie.maxAge).toBe(30 * DAY);
    for (let day = 0; day < 5; day += 1) {
      shop.clock.advance(DAY);
      expect(await statusOf(shop)).toBe(200);
    }
    shop.clock.advance(7 * DAY);
    expect(await statusOf(shop)).toBe(401);
  });
});

describe('a store whose touch writes the passed content', () => {
  it('keeps the session', async () => {
    const store = new MapStore();
    const shop = await startShop({
      options: {
        session: {
          store: Object.assign(store, { touch: store.set.bind(store) }),
          rollingSeconds: 1600,
        },
      },
    });
    shops.push(shop);
    await shop.signIn(ada());
    shop.clock.advance(200_000);
    expect((await shop.browser.request(`${shop.url}/account`)).headers.getSetCookie()).toHaveLength(1);
    expect(await statusOf(shop)).toBe(200);
  });
});

describe('the MemoryStore of express-session', () => {
  it('is accepted during development', async () => {
    const shop = await startWith(new MemoryStore());
    await shop.signIn(ada());
    shop.clock.advance(2 * DAY);
    expect(await statusOf(shop)).toBe(200);
    const headers = { cookie: shop.browser.headerFor('/') };
    await shop.browser.request(`${shop.url}/auth/logout`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect((await fetch(`${shop.url}/account`, { headers })).status).toBe(401);
  });
});

describe('a store that returns something else', () => {
  it.each<[string, unknown]>([
    ['a number', 7],
    ['text', 'latchkey'],
    ['an empty object', {}],
    ['a list', ['latchkey']],
    ['a session of express-session', { cookie: { expires: null }, passport: { user: 1 } }],
    ['a seal that is none', { cookie: {}, latchkey: 'eyJhbGciOiJub25lIn0..AAAA.AAAA.AAAA' }],
    ['a seal of another type', { cookie: {}, latchkey: { text: 'x' } }],
    ['a mark', { cookie: {}, latchkey: 'ended' }],
  ])('admits no visitor with %s, logs it once, and allows a new sign-in', async (_name, garbage) => {
    const store = new MapStore();
    const shop = await startWith(store);
    await shop.signIn(ada());
    for (const key of store.records.keys()) store.records.set(key, garbage as StoredSession);
    expect([await statusOf(shop), await statusOf(shop), await statusOf(shop, '/')]).toEqual([401, 401, 200]);
    expect(shop.log.filter(({ message }) => message.includes('cannot be read'))).toHaveLength(1);
    await shop.signIn(ada());
    expect(await statusOf(shop)).toBe(200);
  });

  it('requires a new sign-in if an incompatible version wrote the session, which stays in the store', async () => {
    const store = new MapStore();
    const shop = await startWith(store);
    await shop.signIn(ada());
    const [[key, record] = ['', undefined]] = store.records;
    // The content of a sign-in's state represents any format that this version cannot parse.
    const attempt = await fetch(`${shop.url}/auth/login`, { redirect: 'manual' });
    const sealed = new URL(attempt.headers.get('location') ?? '').searchParams.get('state') ?? '';
    if (record !== undefined) store.records.set(key, { ...record, latchkey: sealed });
    expect(await statusOf(shop)).toBe(401);
    expect(store.records.has(key)).toBe(true);
  });
});

describe('a failing store', () => {
  const failures: [string, ExpressSessionStore['get']][] = [
    ['calls back with an error', (_id, done) => done(new Error('disk full'))],
    ['calls back with a text as its error', (_id, done) => done('disk full')],
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
    ['never answers', () => {}],
  ];
  it.each(failures)('that %s at get leads to 503, and no request hangs', async (_name, get) => {
    const store = new MapStore();
    const shop = await startWith(store);
    await shop.signIn(ada());
    store.get = get;
    expect(await statusOf(shop)).toBe(503);
    expect(await statusOf(shop, '/')).toBe(200);
    expect(shop.log).toHaveLength(1);
    Reflect.deleteProperty(store, 'get');
    expect(await statusOf(shop)).toBe(200);
  });

  it('that calls back twice is used once', async () => {
    const store = new MapStore();
    const shop = await startWith(store);
    await shop.signIn(ada());
    store.get = (id, done) => {
      done(null, store.records.get(id));
      done(new Error('disk full'));
    };
    expect(await statusOf(shop)).toBe(200);
  });

  it('that reports a missing file, as file stores do, has no session', async () => {
    const store = new MapStore();
    const shop = await startWith(store);
    await shop.signIn(ada());
    store.get = (_id, done) => done(Object.assign(new Error('no such file'), { code: 'ENOENT' }));
    expect(await statusOf(shop)).toBe(401);
  });

  it('at touch does not affect the visitor, whose session is extended later', async () => {
    const store = Object.assign(new MapStore(), {
      touch: (_id: string, _session: StoredSession, done?: (error?: unknown) => void) =>
        done?.(new Error('disk full')),
    });
    const shop = await startShop({ options: { session: { store, rollingSeconds: 1600 } } });
    shops.push(shop);
    await shop.signIn(ada());
    shop.clock.advance(200_000);
    const page = await shop.browser.request(`${shop.url}/account`);
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toEqual([]);
    store.touch = (_id, _session, done) => done?.();
    expect((await shop.browser.request(`${shop.url}/account`)).headers.getSetCookie()).toHaveLength(1);
  });

  it('at set loses no renewed session, even if the logger fails as well', async () => {
    const fails = () => {
      throw new Error('disk full');
    };
    const store = new MapStore();
    const shop = await startShop({
      options: { session: { store, storeTimeoutMs: 500 }, logger: { warn: fails, error: fails } },
    });
    shops.push(shop);
    await shop.signIn(ada());
    store.set = (_id, _session, done) => done?.(new Error('disk full'));
    shop.clock.advance(HOUR);
    expect(await statusOf(shop)).toBe(200);
    Reflect.deleteProperty(store, 'set');
    shop.clock.advance(HOUR / 2);
    expect(await statusOf(shop)).toBe(200);
    expect(shop.service.count('POST /oauth/token')).toBe(2);
  });

  it('at set until its lock expires does not end the session: a rejected process waits for its successor', async () => {
    const store = new MapStore();
    const held = new Set<string>();
    const lock: SessionLock = {
      async acquire(key) {
        if (held.has(key)) return undefined;
        held.add(key);
        return async () => void held.delete(key);
      },
    };
    const session = { store, lock, storeTimeoutMs: 500 };
    const first = await startShop({ options: { session } });
    const second = await startShop({ beside: first, options: { session, appUrl: first.url } });
    shops.push(second, first);
    await first.signIn(ada());
    first.clock.advance(HOUR);
    let failures = 0;
    store.set = (_id, _session, done) => {
      failures += 1;
      done?.(new Error('disk full'));
    };
    expect(await statusOf(first)).toBe(200);
    await expect.poll(() => failures, { timeout: 8000, interval: 5 }).toBeGreaterThan(3);
    // The store recovers in its previous state and without the lock.
    Reflect.deleteProperty(store, 'set');
    held.clear();
    const page = await first.browser.request(`${second.url}/account`);
    expect(page.status).toBe(200);
    expect(await statusOf(first)).toBe(200);
  });

  it('at set leaves a renewed session in memory until it is written', async () => {
    const store = new MapStore();
    const shop = await startWith(store);
    await shop.signIn(ada());
    const before = JSON.stringify([...store.records]);
    store.set = (_id, _session, done) => done?.(new Error('disk full'));
    shop.clock.advance(HOUR);
    expect([await statusOf(shop), await statusOf(shop)]).toEqual([200, 200]);
    expect(JSON.stringify([...store.records])).toBe(before);
    // Longer than the grace period for rotated tokens, so the session itself must have been kept.
    shop.clock.advance(HOUR / 2);
    expect(await statusOf(shop)).toBe(200);
    Reflect.deleteProperty(store, 'set');
    await expect.poll(() => JSON.stringify([...store.records]) !== before, { timeout: 5000 }).toBe(true);
    expect(await statusOf(shop)).toBe(200);
    expect(shop.service.count('POST /oauth/token')).toBe(2);
  });
});
