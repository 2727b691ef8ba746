import {
  CLIENT_SECRET,
  type FakeUser,
  fakeMembership,
  fakeUser,
  PUBLIC_CLIENT,
} from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

const refreshes = () => shop.service.count('POST /oauth/token') - 1;
/** Sends a request with the original cookie, even if a newer one was set. */
const withCookie = (cookie: string, path = '/members', at = shop) =>
  fetch(`${at.url}${path}`, { headers: { cookie }, redirect: 'manual' });

describe('refresh', () => {
  it('happens a minute before expiry, in one request, and the cookie receives the new pair', {
    tags: ['credentials.access-token-lifetime', 'token.client-secret-post', 'token.accept-created'],
  }, async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR - MINUTE - 1);
    await shop.browser.request(`${shop.url}/members`);
    expect(refreshes()).toBe(0);
    shop.clock.advance(1);
    const page = await shop.browser.request(`${shop.url}/members`);
    expect(page).toMatchObject({ status: 200, text: 'The table is set' });
    expect(page.headers.getSetCookie()).toHaveLength(1);
    expect(refreshes()).toBe(1);
    expect(Object.fromEntries(shop.service.forms().at(-1) ?? [])).toMatchObject({
      grant_type: 'refresh_token',
      client_secret: CLIENT_SECRET,
    });
    await shop.browser.request(`${shop.url}/members`);
    expect(refreshes()).toBe(1);
  });

  it('works for a public client without a secret', {
    tags: ['general.widget-is-public-client'],
  }, async () => {
    const open = await startShop({ client: 'public', beside: shop });
    await open.signIn(ada);
    shop.clock.advance(HOUR);
    expect((await open.browser.request(`${open.url}/members`)).status).toBe(200);
    expect(shop.service.forms().at(-1)?.get('client_id')).toBe(PUBLIC_CLIENT);
    expect(shop.service.forms().at(-1)?.has('client_secret')).toBe(false);
    await open.close();
  });

  it('continues as long as the session is used', {
    tags: ['credentials.refresh-sliding-window'],
  }, async () => {
    await shop.signIn(ada);
    for (let hour = 1; hour <= 100; hour += 1) {
      shop.clock.advance(HOUR);
      expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
    }
    expect(refreshes()).toBe(100);
  });

  it('is sent once for 50 parallel requests at expiry, which all receive the same successor', {
    tags: ['credentials.refresh-rotates'],
  }, async () => {
    await shop.signIn(ada);
    for (let round = 1; round <= 20; round += 1) {
      shop.clock.advance(HOUR);
      const cookie = shop.browser.headerFor('/');
      const release = shop.service.hold('/oauth/token');
      const pages = Array.from({ length: 50 }, (_, index) =>
        withCookie(cookie, ['/members', '/account', '/auth/session'][index % 3]),
      );
      while (refreshes() < round) await new Promise(setImmediate);
      release();
      const answers = await Promise.all(pages);
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
      expect(new Set(answers.map((answer) => answer.headers.getSetCookie().join())).size).toBe(1);
      expect(refreshes()).toBe(round);
      await shop.browser.request(`${shop.url}/members`);
    }
  });

  it('returns the same successor to late requests with the rotated cookie for a minute, and never sends its token again', {
    tags: ['credentials.refresh-replay-invalid-grant'],
  }, async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const spent = shop.browser.headerFor('/');
    const first = await shop.browser.request(`${shop.url}/members`);
    shop.clock.advance(MINUTE - 1);
    const late = await withCookie(spent);
    expect(late.status).toBe(200);
    expect(late.headers.getSetCookie().map(pairOf)).toEqual(first.headers.getSetCookie().map(pairOf));
    expect(refreshes()).toBe(1);
    shop.clock.advance(1);
    expect((await withCookie(spent)).status).toBe(401);
    expect(refreshes()).toBe(1);
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
  });

  it('survives a lost response to the browser: the next request with the rotated cookie receives the successor', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const cookie = shop.browser.headerFor('/');
    await withCookie(cookie);
    shop.clock.advance(30 * SECOND);
    const page = await shop.browser.request(`${shop.url}/members`);
    expect(page.status).toBe(200);
    shop.clock.advance(10 * MINUTE);
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
    expect(refreshes()).toBe(1);
  });

  it('survives a slow response that only extended the session: near expiry it renews the token as well', async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    let waiting = 0;
    const slow = await startShop({
      beside: shop,
      options: { session: { rollingSeconds: 3600 } },
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/quick', auth.requireSignIn(), (_request, response) => void response.send('here'));
        app.get('/slow', auth.requireSignIn(), async (_request, response) => {
          waiting += 1;
          await finished;
          response.send('at last');
        });
      },
    });
    await slow.signIn(ada, { path: '/quick' });
    shop.clock.advance(HOUR - MINUTE - SECOND);
    const last = slow.browser.request(`${slow.url}/slow`);
    while (waiting === 0) await new Promise(setImmediate);
    shop.clock.advance(2 * SECOND);
    expect((await slow.browser.request(`${slow.url}/quick`)).status).toBe(200);
    finish();
    expect((await last).headers.getSetCookie()).toHaveLength(1);
    shop.clock.advance(2 * MINUTE);
    expect((await slow.browser.request(`${slow.url}/quick`)).status).toBe(200);
    expect(refreshes()).toBe(1);
    await slow.close();
  });

  it('that is rejected ends the session: pages redirect to sign-in, scripts receive 401, and the token is not sent again', {
    tags: ['oauth-error.branch-on-error'],
  }, async () => {
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(HOUR);
    const json = await shop.browser.request(`${shop.url}/members`);
    expect(json).toMatchObject({ status: 401, json: { error: 'sign_in_required' } });
    expect(json.json.message).toContain('ended');
    const html = await shop.browser.open(`${shop.url}/members?x=1`, { follow: false });
    expect(html.status).toBe(302);
    expect(html.headers.get('location')).toBe(`${shop.url}/auth/login?returnTo=%2Fmembers%3Fx%3D1`);
    expect(refreshes()).toBe(1);
  });

  it('that fails while the token is still valid has no effect', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR - 30 * SECOND);
    for (const fault of ['reset', 'server-error', 'html'] as const) {
      shop.service.on('/oauth/token', fault);
      const page = await shop.browser.request(`${shop.url}/account`);
      expect(page.status).toBe(200);
      expect(page.headers.getSetCookie()).toEqual([]);
      shop.clock.advance(5 * SECOND);
    }
    shop.service.clear();
    expect((await shop.browser.request(`${shop.url}/account`)).headers.getSetCookie()).toHaveLength(1);
  });

  it('that fails after expiry leads to 503, keeps the session and recovers', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    shop.service.on('/oauth/token', 'server-error');
    const json = await shop.browser.request(`${shop.url}/account`);
    expect(json).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
    expect(json.headers.get('retry-after')).toBe('5');
    const html = await shop.browser.open(`${shop.url}/account`);
    expect(html.status).toBe(503);
    expect(html.text).toContain(`<a href="${shop.url}/account">Try again</a>`);
    expect(shop.browser.cookies.size).toBe(1);
    shop.service.clear();
    shop.clock.advance(5 * SECOND);
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(200);
  });

  it('is not retried on every request during an outage', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    shop.service.on('/oauth/token', 'reset');
    for (let request = 0; request < 20; request += 1) await shop.browser.request(`${shop.url}/account`);
    // Sent twice, because a broken connection leaves the state of the token unknown.
    expect(refreshes()).toBe(2);
    shop.clock.advance(5 * SECOND);
    await shop.browser.request(`${shop.url}/account`);
    expect(refreshes()).toBe(4);
  });

  it('that never completes ends with the timeout', async () => {
    const impatient = await startShop({ beside: shop, options: { timeoutMs: 600 } });
    await impatient.signIn(ada);
    shop.clock.advance(HOUR);
    shop.service.on('/oauth/token', 'hang');
    const pages = await Promise.all(
      [1, 2, 3].map(() => impatient.browser.request(`${impatient.url}/account`)),
    );
    expect(pages.map(({ status }) => status)).toEqual([503, 503, 503]);
    await impatient.close();
  });

  it('that takes longer than visitors wait continues, and its tokens are kept', {
    tags: ['credentials.refresh-rotates'],
  }, async () => {
    const impatient = await startShop({ beside: shop, options: { timeoutMs: 1_500 } });
    await impatient.signIn(ada);
    shop.clock.advance(HOUR);
    const release = shop.service.hold('/oauth/token');
    const account = () => impatient.browser.request(`${impatient.url}/account`);
    expect((await account()).status).toBe(503);
    const startedAt = performance.now();
    expect((await account()).status).toBe(503);
    expect(performance.now() - startedAt, 'nobody waits anew').toBeLessThan(1_200);
    release();
    await expect.poll(async () => (await account()).status).toBe(200);
    expect(refreshes()).toBe(1);
    await impatient.close();
  });

  it('continues if the connection of its visitor closes', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const release = shop.service.hold('/oauth/token');
    const leaving = new AbortController();
    const headers = { cookie: shop.browser.headerFor('/') };
    const left = fetch(`${shop.url}/account`, { headers, signal: leaving.signal }).catch(() => 'left');
    while (refreshes() === 0) await new Promise(setImmediate);
    leaving.abort();
    expect(await left).toBe('left');
    release();
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(200);
    expect(refreshes()).toBe(1);
  });

  it('is sent once more if its request was lost, and ends the session if its response was lost', {
    tags: ['credentials.refresh-replay-invalid-grant'],
  }, async () => {
    for (const [lose, status] of [
      ['reset', 200],
      ['response-lost', 401],
    ] as const) {
      shop.service.on('/oauth/token', undefined);
      await shop.signIn(ada);
      shop.clock.advance(HOUR);
      let asked = 0;
      shop.service.on('/oauth/token', () => {
        asked += 1;
        return asked === 1 ? { kind: lose } : undefined;
      });
      expect((await shop.browser.request(`${shop.url}/account`)).status, lose).toBe(status);
      expect(asked).toBe(2);
    }
    // The sign-in is silent, because the visitor is signed in at the service.
    const page = await shop.browser.open(`${shop.url}/members`);
    expect(page).toMatchObject({ status: 200, text: 'The table is set', url: `${shop.url}/members` });
  });

  it('affects only the user whose session has ended', async () => {
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    const bens = await startShop({ beside: shop, options: { appUrl: shop.url } });
    await shop.signIn(ada);
    shop.service.revokeEverything();
    await shop.signIn(ben, { browser: bens.browser });
    shop.clock.advance(HOUR);
    const benPage = await bens.browser.request(`${shop.url}/members`);
    const adaPage = await shop.browser.request(`${shop.url}/members`);
    expect([benPage.status, adaPage.status]).toEqual([200, 401]);
    await bens.close();
  });

  it('is retried after an outage although the clock was set back', async () => {
    await shop.signIn(ada);
    shop.clock.advance(2 * HOUR);
    shop.service.on('/oauth/token', 'reset');
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(503);
    shop.service.clear();
    shop.clock.advance(-30 * MINUTE);
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(200);
  });

  it('survives a clock that was set back', async () => {
    await shop.signIn(ada);
    shop.clock.advance(-3 * HOUR);
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
  });
});

function pairOf(header: string): string | undefined {
  return header.split(';')[0];
}
