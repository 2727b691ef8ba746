import { createHash } from 'node:crypto';
import { fakeMembership, fakeUser, randomToken } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it } from 'vitest';
import { latchkey } from '../src/index.js';
import { Browser } from './browser.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { DAY, HOUR } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

const shops: Shop[] = [];
async function start(...args: Parameters<typeof startShop>): Promise<Shop> {
  const shop = await startShop(...args);
  shops.push(shop);
  return shop;
}
afterEach(async () => {
  for (const shop of shops.splice(0).reverse()) await shop.close();
});

const ada = () => fakeUser('ada@example.com', [fakeMembership()]);
const greeting = async (shop: Shop, by = shop.browser) => (await by.request(`${shop.url}/`)).text;

describe('the session cookie', () => {
  it('is HttpOnly, SameSite=Lax and encrypted: it reveals neither tokens nor the email', {
    tags: ['credentials.opaque-tokens'],
  }, async () => {
    const shop = await start();
    await shop.signIn(ada());
    const cookie = shop.sessionCookie();
    expect(cookie?.header).toMatch(/; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    const readable = Buffer.from(cookie?.value.replaceAll('.', '') ?? '', 'base64url').toString('latin1');
    expect(readable).not.toContain('ada@');
    expect(shop.browser.cookies.size).toBe(1);
  });

  it('is Secure with the __Host- prefix if the app is on https, even if the request used http', async () => {
    const shop = await start({ options: { appUrl: 'https://shop.example' } });
    shop.browser.hosts.set('shop.example', shop.url);
    await shop.signIn(ada());
    expect(shop.sessionCookie()?.name).toMatch(/^__Host-latchkey_/);
    expect(shop.sessionCookie()?.header).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    expect(await greeting(shop)).toBe('Hello ada@example.com');
  });

  it('stays below 4096 bytes with attributes, the longest email and tokens of 800 characters', async () => {
    const shop = await start();
    shop.service.newToken = () => randomToken(600);
    await shop.signIn(fakeUser(`${'a'.repeat(242)}@example.com`));
    const header = shop.sessionCookie()?.header ?? '';
    expect(header.length).toBeGreaterThan(2000);
    expect(header.length).toBeLessThan(4096);
  });

  it('has less than 900 bytes with typical tokens', async () => {
    const shop = await start();
    await shop.signIn(ada());
    expect(shop.sessionCookie()?.header.length).toBeLessThan(900);
  });

  it('fails above the browser limit, instead of losing the session silently', async () => {
    const shop = await start();
    shop.service.newToken = () => randomToken(1500);
    const page = await shop.signIn(ada());
    expect(page.status).toBe(500);
    expect(page.text).toMatch(/RangeError|tokens are too long/);
    expect(shop.sessionCookie()).toBeUndefined();
    // The tokens are revoked, because no session will use them.
    expect(shop.service.count('POST /oauth/revoke')).toBe(1);
  });

  it('is checked when a gate needs it: it can expire while earlier middleware waits', async () => {
    const shop = await start({
      routes(app, auth) {
        app.use(auth.router);
        app.use('/slow', (_request, _response, next) => {
          shop.clock.advance(8 * DAY);
          next();
        });
        app.get(['/', '/slow'], auth.requireSignIn(), (_request, response) => void response.send('in'));
      },
    });
    await shop.signIn(ada());
    expect(await greeting(shop)).toBe('in');
    const late = await shop.browser.request(`${shop.url}/slow`, { headers: { accept: 'application/json' } });
    expect(late.status).toBe(401);
    expect(late.json).toMatchObject({ message: expect.stringMatching(/expired|ended/) });
  });

  it('is invalid if any character is changed', async () => {
    const shop = await start();
    await shop.signIn(ada());
    const { name = '', value = '' } = shop.sessionCookie() ?? {};
    // The last character of each part has bits that base64url ignores, so the one before it is changed.
    const positions = [0, 20, 60, 75, 90, 200, value.length - 30, value.length - 2];
    for (const position of positions) {
      const other = value[position] === 'A' ? 'B' : 'A';
      const tampered = value.slice(0, position) + other + value.slice(position + 1);
      const page = await new Browser().request(`${shop.url}/`, {
        headers: { cookie: `${name}=${tampered}` },
      });
      expect(page.text, `position ${position}`).toBe('Hello stranger');
    }
  });

  it.each(['', 'x', '....', 'eyJhbGciOiJub25lIn0..AAAA.AAAA.AAAA', 'a'.repeat(10_000), '%00%ff', '"quoted"'])(
    'counts as absent if it is %j',
    async (value) => {
      const shop = await start();
      await shop.signIn(ada());
      const name = shop.sessionCookie()?.name;
      const page = await new Browser().request(`${shop.url}/`, {
        headers: { cookie: `a=b; ${name}=${value}; c=d` },
      });
      expect(page).toMatchObject({ status: 200, text: 'Hello stranger' });
    },
  );

  it('is no state of an attempt and vice versa', async () => {
    const shop = await start();
    const other = new Browser();
    const away = await other.request(`${shop.url}/auth/login`);
    const state = new URL(away.headers.get('location') ?? '').searchParams.get('state');
    await shop.signIn(ada());
    const session = shop.sessionCookie();
    const asSession = await new Browser().request(`${shop.url}/`, {
      headers: { cookie: `${session?.name}=${state}` },
    });
    expect(asSession.text).toBe('Hello stranger');
    const hash = createHash('sha256')
      .update(session?.value ?? '')
      .digest('base64url')
      .slice(0, 22);
    const [attemptName = ''] = other.cookies.keys();
    const asAttempt = await new Browser().request(
      `${shop.url}/auth/callback?code=x&state=${session?.value}`,
      {
        headers: { cookie: `${attemptName.slice(0, -1)}${hash.charAt(0)}=${hash}` },
      },
    );
    expect(asAttempt.status).toBe(400);
    expect(JSON.stringify(shop.log)).toContain('cannot be decrypted');
  });

  it('of another instance does not open, even with the same secret', async () => {
    const shop = await start();
    const other = await start({ beside: shop, client: 'public' });
    await shop.signIn(ada());
    await other.signIn(fakeUser('ben@example.com'));
    const crossed = `${other.sessionCookie()?.name}=${shop.sessionCookie()?.value}`;
    expect((await new Browser().request(`${other.url}/`, { headers: { cookie: crossed } })).text).toBe(
      'Hello stranger',
    );
  });

  it('opens with every listed secret and is encrypted with the first, which allows rotation', async () => {
    const appUrl = 'http://shop.localhost:1';
    const startAt = async (beside: Shop | undefined, cookieSecret: string | readonly string[]) => {
      const shop = await start({ ...(beside && { beside }), options: { appUrl, cookieSecret } });
      shop.browser.hosts.set(new URL(appUrl).host, shop.url);
      return shop;
    };
    const before = await startAt(undefined, COOKIE_SECRET);
    await before.signIn(ada());
    const newSecret = `${COOKIE_SECRET}, the next one`;
    const rotating = await startAt(before, [newSecret, COOKIE_SECRET]);
    expect(await greeting(rotating, before.browser)).toBe('Hello ada@example.com');
    await rotating.signIn(ada());
    const after = await startAt(before, newSecret);
    expect(await greeting(after, rotating.browser)).toBe('Hello ada@example.com');
    expect(await greeting(after, before.browser)).toBe('Hello stranger');
  });

  it('is new at every sign-in: a planted value is not reused (session fixation)', async () => {
    const shop = await start();
    const mallory = new Browser();
    await shop.signIn(fakeUser('mallory@example.com'), { browser: mallory });
    const planted = shop.sessionCookie(mallory);
    const { name = '', value = '', header = '' } = planted ?? {};
    shop.browser.cookies.set(name, { value, path: '/', header });
    await shop.signIn(ada());
    expect(shop.sessionCookie()?.value).not.toBe(value);
    expect(await greeting(shop, mallory)).toBe('Hello mallory@example.com');
    expect(await greeting(shop)).toBe('Hello ada@example.com');
  });

  it('is written only on changes', async () => {
    const shop = await start();
    await shop.signIn(ada(), { path: '/members' });
    shop.clock.advance(HOUR / 2);
    for (const path of ['/', '/members', '/account', '/auth/session']) {
      expect((await shop.browser.request(`${shop.url}${path}`)).headers.getSetCookie(), path).toEqual([]);
    }
  });

  it('is not revealed by printing or serializing req.latchkey', async () => {
    const shop = await start({
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/print', (request, response) => response.json(request.latchkey));
      },
    });
    await shop.signIn(ada());
    expect((await shop.browser.request(`${shop.url}/print`)).text).toBe('{}');
  });
});

describe('the lifetime of a session', () => {
  it('is extended by use, in steps of an eighth, and ends after 7 idle days', async () => {
    const shop = await start();
    await shop.signIn(ada());
    const use = () => shop.browser.request(`${shop.url}/account`);
    for (let day = 0; day < 12; day += 1) {
      shop.clock.advance(DAY);
      expect((await use()).status).toBe(200);
    }
    shop.clock.advance(7 * DAY - 1);
    expect((await use()).status).toBe(200);
    shop.clock.advance(7 * DAY);
    expect((await use()).status).toBe(401);
  });

  it('is extended without a refresh if a shorter rolling lifetime is configured', async () => {
    const shop = await start({ options: { session: { rollingSeconds: 600 } } });
    await shop.signIn(ada());
    shop.clock.advance(74_999);
    expect((await shop.browser.request(`${shop.url}/account`)).headers.getSetCookie()).toEqual([]);
    shop.clock.advance(1);
    const moved = await shop.browser.request(`${shop.url}/account`);
    expect(moved.headers.getSetCookie()).toHaveLength(1);
    expect(moved.headers.get('cache-control')).toBe('private, no-store');
    shop.clock.advance(600_000 - 1);
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(200);
    shop.clock.advance(600_000);
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(401);
    expect(shop.service.count('POST /oauth/token')).toBe(1);
  });

  it('ends after the absolute lifetime, however active', async () => {
    const shop = await start({ options: { session: { absoluteSeconds: 3000, rollingSeconds: 2000 } } });
    await shop.signIn(ada());
    shop.clock.advance(1_500_000);
    const used = await shop.browser.request(`${shop.url}/account`);
    expect(used.status).toBe(200);
    expect(used.headers.getSetCookie()[0]).toContain('Max-Age=1500;');
    shop.clock.advance(1_499_999);
    // The browser would delete the cookie by then. A copy of it must be rejected.
    const cookie = shop.browser.headerFor('/');
    const copy = () => new Browser().request(`${shop.url}/account`, { headers: { cookie } });
    expect((await copy()).status).toBe(200);
    shop.clock.advance(1);
    expect((await copy()).status).toBe(401);
  });

  it('does not change ungated responses, so they can be cached', async () => {
    const shop = await start();
    await shop.signIn(ada());
    shop.clock.advance(2 * DAY);
    const page = await shop.browser.request(`${shop.url}/`);
    expect(page.text).toBe('Hello ada@example.com');
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(page.headers.get('cache-control')).toBeNull();
  });
});

it('is separate for two instances in one app', async () => {
  const shop = await start();
  const clubUrl = 'http://localhost:1';
  const both = await start({
    beside: shop,
    routes: (app, auth) => {
      const members = latchkey({
        serviceUrl: shop.service.url,
        clientId: `oac_${'a'.repeat(24)}`,
        appUrl: clubUrl,
        mountPath: '/club',
        cookieSecret: COOKIE_SECRET,
        clock: shop.clock,
      });
      app.use(auth.router);
      app.use(members.router);
      app.get('/shop-only', auth.requireSignIn(), (_request, response) => response.send('shop'));
      app.get('/club-only', members.requireSignIn(), (_request, response) => response.send('club'));
    },
  });
  both.browser.hosts.set(new URL(clubUrl).host, both.url);
  await both.signIn(ada());
  const statusOf = async (path: string) => (await both.browser.request(`${both.url}${path}`)).status;
  expect([await statusOf('/shop-only'), await statusOf('/club-only')]).toEqual([200, 401]);
  await both.browser.open(`${clubUrl}/club/login`);
  expect([await statusOf('/shop-only'), await statusOf('/club-only')]).toEqual([200, 200]);
});
