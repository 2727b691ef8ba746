import {
  CLIENT_SECRET,
  type FakeUser,
  fakeMembership,
  fakeUser,
  randomToken,
} from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Browser, NAVIGATION } from './browser.js';
import { HOUR, MINUTE } from './manual-clock.js';
import { MapStore } from './map-store.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

function logout(headers: Record<string, string> = {}, at = shop) {
  return at.browser.request(`${at.url}/auth/logout`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });
}

describe('POST /auth/logout', () => {
  it('responds to scripts with 204, ends the session and revokes its refresh token', {
    tags: ['revoke.token-type-hint'],
  }, async () => {
    await shop.signIn(ada);
    const answer = await logout();
    expect(answer.status).toBe(204);
    expect(shop.sessionCookie()).toBeUndefined();
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
    expect(Object.fromEntries(shop.service.forms().at(-1) ?? [])).toMatchObject({
      client_secret: CLIENT_SECRET,
      token_type_hint: 'refresh_token',
    });
  });

  it('redirects a form to the start page', async () => {
    await shop.signIn(ada);
    const answer = await logout({ ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`${shop.url}/`);
  });

  it.each([
    { accept: 'text/vnd.turbo-stream.html, text/html, application/xhtml+xml', 'x-turbo-request-id': '1' },
    { accept: 'text/html, application/xhtml+xml', 'x-inertia': 'true', 'x-requested-with': 'XMLHttpRequest' },
  ])('redirects a form that a router sends by script: %o', async (headers) => {
    await shop.signIn(ada);
    expect((await logout({ ...headers, 'sec-fetch-dest': 'empty' })).status).toBe(303);
  });

  it('has htmx open the start page', async () => {
    await shop.signIn(ada);
    const answer = await logout({ 'hx-request': 'true', 'sec-fetch-dest': 'empty' });
    expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([204, `${shop.url}/`]);
  });

  it('of a public client revokes nothing and deletes the cookie', {
    tags: ['revoke.public-forgets-locally'],
  }, async () => {
    const open = await startShop({ client: 'public', beside: shop });
    await open.signIn(ada);
    expect((await logout({}, open)).status).toBe(204);
    expect(open.sessionCookie()).toBeUndefined();
    expect(shop.service.count('POST /oauth/revoke')).toBe(0);
    await open.close();
  });

  it('is rejected from other sites, and the session stays', async () => {
    await shop.signIn(ada);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      expect(await logout(headers)).toMatchObject({ status: 403, json: { error: 'cross_site_request' } });
    }
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(200);
  });

  it('invalidates copies of the cookie at once in this process', async () => {
    await shop.signIn(ada);
    const copy = { cookie: shop.browser.headerFor('/') };
    await logout();
    const page = await new Browser().request(`${shop.url}/account`, { headers: copy });
    expect(page.status).toBe(401);
    const session = await new Browser().request(`${shop.url}/auth/session`, { headers: copy });
    expect(session.json).toEqual({ signedIn: false });
  });

  it('invalidates copies of the cookie elsewhere once the access token has to be renewed', async () => {
    const elsewhere = await startShop({ beside: shop, options: { appUrl: shop.url } });
    await shop.signIn(ada);
    const copy = { cookie: shop.browser.headerFor('/') };
    await logout();
    shop.clock.advance(HOUR);
    const session = await new Browser().request(`${elsewhere.url}/auth/session`, { headers: copy });
    expect(session.json).toEqual({ signedIn: false, reason: 'expired' });
    await elsewhere.close();
  });

  it('is not undone by a refresh in progress: its tokens are revoked and its response sets no session', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const release = shop.service.hold('/oauth/token');
    const underWay = shop.browser.request(`${shop.url}/account`);
    while (shop.service.count('POST /oauth/token') < 2) await new Promise(setImmediate);
    const leaving = logout();
    // The logout waits for the refresh, which determines the token to revoke.
    await new Promise(setImmediate);
    release();
    expect((await leaving).status).toBe(204);
    const late = await underWay;
    expect(late.headers.getSetCookie().filter((each) => !each.includes('Max-Age=0'))).toEqual([]);
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
  });

  it('is not undone by an earlier request that extends the session later', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await startShop({
      client: 'public',
      beside: shop,
      options: { session: { rollingSeconds: 600 } },
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/', (_request, response) => response.send('home'));
        app.get(
          '/slow',
          async (_request, _response, next) => {
            arrive();
            await released;
            next();
          },
          auth.requireSignIn(),
          (_request, response) => response.send('for Ada'),
        );
      },
    });
    await slow.signIn(ada, { path: '/' });
    shop.clock.advance(5 * MINUTE);
    const underWay = slow.browser.request(`${slow.url}/slow`);
    await arrived;
    expect((await logout({}, slow)).status).toBe(204);
    release();
    const late = await underWay;
    expect(late.headers.getSetCookie().filter((each) => !each.includes('Max-Age=0'))).toEqual([]);
    expect(late.status).toBe(401);
    expect(slow.sessionCookie()).toBeUndefined();
    await slow.close();
  });

  it.each([
    ['sealed cookies', {}],
    ['a store', { session: { store: new MapStore() } }],
  ])(
    'ends the session that it carried, and deletes the cookie of a newer one if its response arrives last: %s',
    async (_what, options) => {
      const site = await startShop({ beside: shop, options });
      const account = async () => (await site.browser.request(`${site.url}/account`)).status;
      await site.signIn(ada);
      const cookie = site.browser.headerFor('/');
      // The browser receives this response only after the sign-in below.
      const late = await new Browser().request(`${site.url}/auth/logout`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', cookie },
      });
      await site.signIn(fakeUser('grace@example.com'));
      const name = site.sessionCookie()?.name ?? '';
      expect([late.status, await account()]).toEqual([204, 200]);
      const deletion = late.headers.getSetCookie().find((each) => each.startsWith(`${name}=;`));
      expect(deletion).toContain('Max-Age=0');
      site.browser.cookies.delete(name);
      expect(await account()).toBe(401);
      const copy = await new Browser().request(`${site.url}/account`, { headers: { cookie } });
      expect(copy.status).toBe(401);
      await site.signIn(fakeUser('grace@example.com'));
      expect(await account()).toBe(200);
      await site.close();
    },
  );

  it.each(['reset', 'server-error', 'html'] as const)(
    'succeeds while the service fails with %s, and logs the failure',
    async (fault) => {
      await shop.signIn(ada);
      shop.service.on('/oauth/revoke', fault);
      expect((await logout()).status).toBe(204);
      expect(shop.sessionCookie()).toBeUndefined();
      // The body of a revocation is ignored, so a page with status 200 counts as success.
      expect(shop.log).toHaveLength(fault === 'html' ? 0 : 1);
    },
  );

  it.each(['reset', 'server-error'] as const)(
    'revokes the tokens as soon as the service responds again, after %s at sign-out',
    async (fault) => {
      await shop.signIn(ada);
      shop.service.on('/oauth/revoke', fault);
      expect((await logout()).status).toBe(204);
      expect(shop.service.hasLiveRefreshToken(ada)).toBe(true);
      shop.service.clear();
      await expect
        .poll(() => shop.service.hasLiveRefreshToken(ada), { timeout: 15_000, interval: 50 })
        .toBe(false);
      expect(shop.log.map(({ message }) => message)).toEqual([
        expect.stringContaining('retries for ten minutes'),
      ]);
    },
  );

  it('that is repeated during an outage is retried once', async () => {
    await shop.signIn(ada);
    const cookie = shop.browser.headerFor('/');
    shop.service.on('/oauth/revoke', 'reset');
    for (let time = 0; time < 10; time += 1) expect((await logout({ cookie })).status).toBe(204);
    expect(shop.log).toHaveLength(1);
  });

  it('does not retry after the service has rejected the client', async () => {
    await shop.signIn(ada);
    shop.service.on('/oauth/revoke', 'insufficient-scope');
    expect((await logout()).status).toBe(204);
    expect(shop.log.map(({ message }) => message)).toEqual([expect.stringContaining('rejected')]);
  });

  it('does not wait for a service that never responds', async () => {
    const impatient = await startShop({ beside: shop, options: { timeoutMs: 600 } });
    await impatient.signIn(ada);
    shop.service.on('/oauth/revoke', 'hang');
    expect((await logout({}, impatient)).status).toBe(204);
    expect(JSON.stringify(impatient.log)).toContain('timeout');
    await impatient.close();
  });

  it('does not loop if the service returns the same refresh token again, against the spec', async () => {
    shop.service.newToken = (kind) => (kind === 'refresh' ? 'always the same' : randomToken());
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const renewed = await shop.browser.request(`${shop.url}/account`);
    expect([renewed.status, renewed.headers.getSetCookie().length]).toEqual([200, 1]);
    expect((await logout()).status).toBe(204);
  });

  it('has no effect without a session', async () => {
    expect((await logout()).status).toBe(204);
    expect(shop.service.log()).toEqual([]);
  });

  it('of an expired session revokes its tokens', async () => {
    await shop.signIn(ada);
    shop.clock.advance(8 * 24 * HOUR + MINUTE);
    await logout();
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
  });
});
