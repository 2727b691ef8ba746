import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Browser, NAVIGATION } from './browser.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { DAY } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

describe('a gate, for a signed-out visitor', () => {
  it('redirects a navigation to sign-in and back to the requested page', async () => {
    const page = await shop.browser.open(`${shop.url}/members?roast=dark&size=2`, { follow: false });
    expect(page.status).toBe(302);
    expect(page.headers.get('location')).toBe(
      `${shop.url}/auth/login?returnTo=%2Fmembers%3Froast%3Ddark%26size%3D2`,
    );
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('vary')).toContain('Cookie');
    shop.service.visitor = ada;
    expect(await shop.browser.open(`${shop.url}/members?roast=dark&size=2`)).toMatchObject({
      url: `${shop.url}/members?roast=dark&size=2`,
      text: 'The table is set',
    });
  });

  it.each(['application/json', '*/*', 'application/json, text/html;q=0.5', ''])(
    'responds with 401 as JSON to Accept: %s',
    async (accept) => {
      const page = await shop.browser.request(`${shop.url}/members`, { headers: { accept } });
      expect(page).toMatchObject({
        status: 401,
        json: { error: 'sign_in_required', message: 'Sign in first.' },
      });
      expect(page.headers.get('cache-control')).toBe('private, no-store');
    },
  );

  it('has htmx open a boosted link as a page', async () => {
    const boosted = (path: string, init = {}) =>
      shop.browser.request(`${shop.url}${path}`, {
        headers: { 'hx-request': 'true', 'hx-boosted': 'true', 'sec-fetch-dest': 'empty' },
        ...init,
      });
    const page = await boosted('/members?roast=dark');
    expect(page.status).toBe(401);
    expect(page.headers.get('hx-redirect')).toBe(`${shop.url}/members?roast=dark`);
    expect((await boosted('/account', { method: 'POST' })).headers.has('hx-redirect')).toBe(false);
    await shop.signIn(ada);
    expect((await boosted('/members')).headers.has('hx-redirect')).toBe(false);
    await shop.signIn(fakeUser('eve@example.com', []));
    const forbidden = await boosted('/members');
    expect([forbidden.status, forbidden.headers.get('hx-redirect')]).toEqual([403, `${shop.url}/members`]);
  });

  it('sends an explanation to a form instead of a redirect, because its content would be lost', async () => {
    const page = await shop.browser.open(`${shop.url}/account`, {
      method: 'POST',
      body: 'a=b',
      follow: false,
    });
    expect(page.status).toBe(401);
    expect(page.text).toContain('nothing was saved');
    expect(page.text).toContain('<a href="/auth/login">Sign in</a>');
  });

  it.each(['//evil.example/members', '/.//evil.example', '/\\evil.example'])(
    'redirects to sign-in without a destination if the address is %s',
    async (path) => {
      const all = await startShop({
        beside: shop,
        routes: (app, auth) => {
          app.use(auth.router);
          app.use(auth.requireSignIn());
        },
      });
      const { status, headers } = await rawGet(all.url, path);
      expect(status).toBe(302);
      expect(headers.get('location')).toBe(`${all.url}/auth/login`);
      await all.close();
    },
  );

  it('uses the format that the route sets, whatever Accept says', async () => {
    const fixed = await startShop({
      beside: shop,
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/api', auth.requireSignIn({ respond: 'json' }), (_request, response) =>
          response.send('api'),
        );
        app.get('/page', auth.requireMembership(SHOP_MEMBERS, { respond: 'html' }), (_request, response) =>
          response.send('page'),
        );
      },
    });
    expect((await fixed.browser.open(`${fixed.url}/api`)).status).toBe(401);
    expect((await fixed.browser.request(`${fixed.url}/page`)).status).toBe(302);
    await fixed.close();
  });
});

/** Sends a request with an unmodified path, which fetch would normalize. */
async function rawGet(url: string, path: string): Promise<{ status: number; headers: Map<string, string> }> {
  const { connect } = await import('node:net');
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: ${NAVIGATION.accept}\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += chunk;
  const [statusLine = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers) };
}
it('a gate above the router fails with an error that names the missing line', async () => {
  const unmounted = await startShop({
    beside: shop,
    routes: (app, auth) =>
      app.get('/members', auth.requireSignIn(), (_request, response) => response.send('in')),
  });
  const page = await unmounted.browser.request(`${unmounted.url}/members`);
  expect(page.status).toBe(500);
  expect(page.text).toContain('app.use(auth.router)');
  await unmounted.close();
});

it('a gate of one instance rejects a session of another', async () => {
  const other = await startShop({ beside: shop, client: 'public' });
  await other.signIn(ada);
  expect((await other.browser.request(`${other.url}/account`)).status).toBe(200);
  const cookie = other.browser.headerFor('/');
  expect((await new Browser().request(`${shop.url}/account`, { headers: { cookie } })).status).toBe(401);
  await other.close();
});

it('keeps an existing Vary header', async () => {
  const varied = await startShop({
    beside: shop,
    routes: (app, auth) => {
      app.use((_request, response, next) => {
        response.vary('Origin');
        next();
      });
      app.use(auth.router);
      app.get('/account', auth.requireSignIn(), (_request, response) => response.send('in'));
    },
  });
  shop.clock.advance(DAY);
  expect((await varied.browser.request(`${varied.url}/account`)).headers.get('vary')).toBe('Origin, Cookie');
  await varied.close();
});
