import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import type { Response } from 'express';
import { MemoryStore } from 'express-session';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LatchkeyOptions } from '../src/index.js';
import type { Page } from './browser.js';
import { HOUR, MINUTE } from './manual-clock.js';
import { type Shop, type ShopSetup, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
let others: Shop[];
/** Requests to /slow that have passed their gate, and functions that let them continue. */
let waiting: (() => void)[];
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
  others = [];
  waiting = [];
});
afterEach(async () => {
  for (const go of waiting) go();
  for (const other of others) await other.close();
  await shop.close();
});

/** An app with a route behind a gate that responds when the test says so. */
async function startSlow(
  session: LatchkeyOptions['session'] = {},
  { client = 'confidential' }: Pick<ShopSetup, 'client'> = {},
): Promise<Shop> {
  const slow = await startShop({
    beside: shop,
    client,
    options: { session },
    routes: (app, auth) => {
      const work = () => new Promise<void>((go) => waiting.push(go));
      app.use(auth.router);
      app.get('/quick', auth.requireSignIn(), (request, response) => {
        response.send(request.latchkey?.user?.email);
      });
      app.get('/slow', auth.requireSignIn(), async (_request, response) => {
        await work();
        response.send('at last');
      });
      app.get('/slow-then-token', async (request, response) => {
        await work();
        await request.latchkey?.accessToken();
        response.send('a token');
      });
    },
  });
  others.push(slow);
  return slow;
}

const quick = (slow: Shop) => slow.browser.request(`${slow.url}/quick`);
const refreshes = () =>
  shop.service.forms().filter((form) => form.get('grant_type') === 'refresh_token').length;
const valueIn = (page: Page) => page.headers.getSetCookie().map((header) => /=([^;]*)/.exec(header)?.[1]);
const signOut = (slow: Shop) =>
  slow.browser.request(`${slow.url}/auth/logout`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  });

/** Starts a slow request. The returned function lets its handler end and returns the response. */
async function beginSlow(slow: Shop, path = '/slow'): Promise<() => Promise<Page>> {
  const before = waiting.length;
  const answer = slow.browser.request(`${slow.url}${path}`);
  while (waiting.length === before) await new Promise(setImmediate);
  return () => {
    waiting[before]?.();
    return answer;
  };
}

describe('a slow response', () => {
  it('contains the pair that was renewed meanwhile, not the rotated one that its gate extended', {
    tags: ['credentials.refresh-rotates'],
  }, async () => {
    const slow = await startSlow({ rollingSeconds: 3600 });
    await slow.signIn(ada, { path: '/quick' });
    shop.clock.advance(10 * MINUTE);
    const finish = await beginSlow(slow);
    shop.clock.advance(49 * MINUTE);
    const renewed = await quick(slow);
    expect(refreshes()).toBe(1);
    expect(valueIn(await finish())).toEqual(valueIn(renewed));
    shop.clock.advance(2 * MINUTE);
    expect((await quick(slow)).status).toBe(200);
    expect(refreshes()).toBe(1);
  });

  it('contains the newest of several pairs, even if its own gate renewed the session', {
    tags: ['credentials.refresh-rotates'],
  }, async () => {
    const slow = await startSlow();
    await slow.signIn(ada, { path: '/quick' });
    shop.clock.advance(HOUR);
    const finish = await beginSlow(slow);
    await quick(slow);
    shop.clock.advance(HOUR);
    await quick(slow);
    shop.clock.advance(HOUR);
    const newest = await quick(slow);
    expect(refreshes()).toBe(3);
    expect(valueIn(await finish())).toEqual(valueIn(newest));
    shop.clock.advance(2 * MINUTE);
    expect((await quick(slow)).status).toBe(200);
  });

  it('that alone contains the new pair starts the grace period', async () => {
    const slow = await startSlow();
    await slow.signIn(ada, { path: '/quick' });
    const spent = { headers: { cookie: slow.browser.headerFor('/') } };
    const statusWithSpent = async () => (await fetch(`${slow.url}/quick`, spent)).status;
    shop.clock.advance(HOUR);
    const first = await beginSlow(slow);
    shop.clock.advance(5 * MINUTE);
    const finishes = [first, await beginSlow(slow)];
    shop.clock.advance(5 * MINUTE);
    const values = await Promise.all(finishes.map(async (finish) => valueIn(await finish())));
    expect(values[1]).toEqual(values[0]);
    shop.clock.advance(MINUTE - 1);
    expect(await statusWithSpent()).toBe(200);
    expect(refreshes()).toBe(1);
    shop.clock.advance(1);
    expect(await statusWithSpent()).toBe(401);
    expect((await quick(slow)).status).toBe(200);
  });

  it('contains no cookie while the session is being renewed by another request', async () => {
    const slow = await startSlow({ rollingSeconds: 3600 });
    await slow.signIn(ada, { path: '/quick' });
    shop.clock.advance(10 * MINUTE);
    const finish = await beginSlow(slow);
    shop.clock.advance(49 * MINUTE);
    const release = shop.service.hold('/oauth/token');
    const renewing = quick(slow);
    while (refreshes() === 0) await new Promise(setImmediate);
    expect((await finish()).headers.getSetCookie()).toEqual([]);
    release();
    expect((await renewing).headers.getSetCookie()).toHaveLength(1);
  });

  it.each(['confidential', 'public'] as const)(
    'does not restore a session that was signed out meanwhile (%s client)',
    async (client) => {
      const slow = await startSlow({}, { client });
      await slow.signIn(ada, { path: '/quick' });
      shop.clock.advance(HOUR);
      const finish = await beginSlow(slow);
      expect((await signOut(slow)).status).toBe(204);
      expect((await finish()).headers.getSetCookie()).toEqual([]);
      expect(slow.sessionCookie()).toBeUndefined();
    },
  );

  it('does not replace a session that began in the same browser meanwhile', async () => {
    const ben = fakeUser('ben@example.com');
    const slow = await startSlow();
    await slow.signIn(ada, { path: '/quick' });
    shop.clock.advance(HOUR);
    const finish = await beginSlow(slow);
    expect((await slow.signIn(ben, { path: '/quick' })).text).toBe('ben@example.com');
    expect((await finish()).headers.getSetCookie()).toEqual([]);
    expect((await quick(slow)).text).toBe('ben@example.com');
  });

  it.each(['renewed', 'moved on'])(
    'does not undo a sign-in at another process with the reference of a session that was only %s',
    async (how) => {
      const session = { store: new MemoryStore(), rollingSeconds: how === 'renewed' ? 86_400 : 3600 };
      const slow = await startSlow(session);
      const other = await startShop({ beside: shop, options: { appUrl: slow.url, session } });
      others.push(other);
      await slow.signIn(ada, { path: '/quick' });
      shop.clock.advance(how === 'renewed' ? HOUR : 10 * MINUTE);
      const finish = await beginSlow(slow);
      shop.clock.advance(MINUTE);
      slow.browser.hosts.set(new URL(slow.url).host, other.url);
      expect((await signOut(slow)).status).toBe(204);
      await slow.signIn(fakeUser('ben@example.com'), { path: '/' });
      expect((await finish()).headers.getSetCookie()).toEqual([]);
      expect((await slow.browser.request(`${slow.url}/`)).text).toBe('Hello ben@example.com');
    },
  );

  it('receives no token of a session that was signed out meanwhile', async () => {
    const slow = await startSlow({}, { client: 'public' });
    await slow.signIn(ada, { path: '/quick' });
    const finish = await beginSlow(slow, '/slow-then-token');
    await signOut(slow);
    expect((await finish()).status).toBe(401);
  });
});

describe('the cookie of a renewed session', () => {
  const ways: [string, (response: Response) => void][] = [
    ['send', (response) => void response.append('Set-Cookie', 'theme=dark').send('x')],
    ['writeHead', (response) => void response.writeHead(200, { 'Set-Cookie': 'theme=dark' }).end('x')],
    [
      'writeHead with a reason',
      (response) => void response.writeHead(200, 'Fine', { 'set-cookie': ['theme=dark'] }).end(),
    ],
    [
      'writeHead with a list',
      (response) => void response.writeHead(200, ['Set-Cookie', 'theme=dark']).end('x'),
    ],
    [
      'write',
      (response) => {
        response.append('Set-Cookie', 'theme=dark').write('x');
        response.end();
      },
    ],
    [
      'flushHeaders',
      (response) => {
        response.append('Set-Cookie', 'theme=dark').flushHeaders();
        response.end();
      },
    ],
    [
      'what was set to be cached',
      (response) =>
        void response
          .set('Cache-Control', 'public, max-age=600')
          .append('Set-Cookie', 'theme=dark')
          .send('x'),
    ],
  ];
  it.each(ways)('is sent by %s, beside the cookies of the app, and is never cached', async (_way, send) => {
    const app = await startShop({
      beside: shop,
      routes: (express, auth) => {
        express.use(auth.router);
        express.get('/', async (request, response) => {
          await request.latchkey?.accessToken();
          send(response);
        });
      },
    });
    others.push(app);
    await app.signIn(ada);
    shop.clock.advance(HOUR);
    const page = await app.browser.request(`${app.url}/`);
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie().map((each) => each.split('=')[0])).toEqual([
      'theme',
      app.sessionCookie()?.name,
    ]);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });
});
