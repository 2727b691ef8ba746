import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeUser,
  fakeMembership,
  fakeUser,
  PUBLIC_CLIENT,
} from '@latchkey/conformance/scripted-service';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SHOP_MEMBERS } from './community-directory.js';
import { listen } from './listen.js';
import { callbackUrl, type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
  shop.service.visitor = ada;
});
afterEach(() => shop.close());

const signInUpToReturn = (path = '/', browser = shop.browser) =>
  callbackUrl(browser, `${shop.url}/auth/login?returnTo=${encodeURIComponent(path)}`);

describe('GET /auth/login', () => {
  it('redirects to the service with the callback of appUrl, the scope, a state and a PKCE challenge', {
    tags: ['authorize.challenge-derivation'],
  }, async () => {
    const away = await shop.browser.request(`${shop.url}/auth/login`);
    expect(away.status).toBe(302);
    const address = new URL(away.headers.get('location') ?? '');
    expect(`${address.origin}${address.pathname}`).toBe(`${shop.service.url}/oauth/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: CONFIDENTIAL_CLIENT,
      redirect_uri: `${shop.url}/auth/callback`,
      scope: 'memberships.read',
      state: expect.stringMatching(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    await shop.browser.open(address.href);
    const challenge = createHash('sha256').update(shop.service.forms()[0]?.get('code_verifier') ?? '');
    expect(challenge.digest('base64url')).toBe(address.searchParams.get('code_challenge'));
  });

  it('in a frame, where the service can’t be shown, sends a page with a link that leaves the frame', async () => {
    const page = await shop.browser.open(`${shop.url}/auth/login?returnTo=%2Fmembers`, {
      headers: { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
      follow: false,
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<base target="_top">');
    expect(page.text).toContain('<a href="/auth/login?returnTo=%2Fmembers">Sign in</a>');
    expect(page.headers.get('content-security-policy')).not.toContain('frame-ancestors');
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  it('derives the redirect URI from appUrl, whatever Host and forwarding headers contain', async () => {
    const away = await shop.browser.request(`${shop.url}/auth/login`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    const redirectUri = new URL(away.headers.get('location') ?? '').searchParams.get('redirect_uri');
    expect(redirectUri).toBe(`${shop.url}/auth/callback`);
    expect(away.headers.getSetCookie()[0]).not.toContain('Secure');
  });

  it('seals the attempt into its state, and binds it to the browser by a cookie for ten minutes', async () => {
    const away = await shop.browser.request(`${shop.url}/auth/login`);
    const [header = '', ...others] = away.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(header).toMatch(
      /^latchkey_in_[0-9a-f]{8}_[\w-]=[\w-]{22}; Path=\/auth; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect(away.headers.get('cache-control')).toBe('private, no-store');
    expect(away.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('has a state of at most 1,024 characters, whatever the page and the scopes', {
    tags: ['authorize.state-max-length'],
  }, async () => {
    const long = await startShop({
      beside: shop,
      options: { scopes: ['memberships.read', 'products.read'] },
    });
    onTestFinished(() => long.close());
    for (const path of [
      `/${'a'.repeat(480 - long.url.length)}`,
      `/a?${'q'.repeat(1_900)}`,
      `/${'a'.repeat(1_900)}`,
    ]) {
      const away = await long.browser.request(`${long.url}/auth/login?returnTo=${path}`);
      const state = new URL(away.headers.get('location') ?? '').searchParams.get('state') ?? '';
      expect(state.length).toBeLessThanOrEqual(1024 - ',"isSecond":true'.length * 2);
    }
  });

  it('uses a __Host- cookie on https, which no sibling domain can set', async () => {
    const secure = await startShop({ options: { appUrl: 'https://shop.example' }, beside: shop });
    secure.browser.hosts.set('shop.example', secure.url);
    const away = await secure.browser.request('https://shop.example/auth/login');
    expect(away.headers.getSetCookie()[0]).toMatch(
      /^__Host-latchkey_in_.*; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    await secure.close();
  });

  it('keeps the cookies small, however many sign-ins with long pages a browser begins at once', async () => {
    const begin = (tab: number) =>
      shop.browser.request(`${shop.url}/auth/login?returnTo=/table/${tab}?${'q'.repeat(1_900)}`);
    await Promise.all(Array.from({ length: 200 }, (_, tab) => begin(tab)));
    expect(shop.browser.headerFor('/auth/callback').length).toBeLessThan(6000);
    expect((await shop.signIn(ada)).text).toBe('Hello ada@example.com');
  });
});

describe('GET /auth/callback', () => {
  it('signs the visitor in, with credentials in the body, and redirects to the requested page', {
    tags: ['token.client-secret-post', 'token.accept-created'],
  }, async () => {
    const page = await shop.signIn(ada, { path: '/members?roast=dark' });
    expect(page).toMatchObject({
      status: 200,
      text: 'The table is set',
      url: `${shop.url}/members?roast=dark`,
    });
    const [form] = shop.service.forms();
    expect(Object.fromEntries(form ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      client_id: CONFIDENTIAL_CLIENT,
      client_secret: CLIENT_SECRET,
      redirect_uri: `${shop.url}/auth/callback`,
    });
    expect(shop.service.requests.filter(({ headers }) => headers.authorization?.startsWith('Basic'))).toEqual(
      [],
    );
  });

  it('works for a public client without a secret', {
    tags: ['general.widget-is-public-client'],
  }, async () => {
    const open = await startShop({ client: 'public', beside: shop });
    expect((await open.signIn(ada)).text).toBe('Hello ada@example.com');
    expect(shop.service.forms()[0]?.get('client_id')).toBe(PUBLIC_CLIENT);
    expect(shop.service.forms()[0]?.has('client_secret')).toBe(false);
    await open.close();
  });

  it('identifies a user by sub, also without an email', {
    tags: ['userinfo.sub-is-the-key', 'userinfo.email-nullable'],
  }, async () => {
    const nameless = fakeUser(null);
    await shop.signIn(nameless);
    expect((await shop.browser.request(`${shop.url}/account`)).text).toBe(
      `Account of ${shop.subOf(nameless)}`,
    );
  });

  it('requests only token, identity and memberships, the last two in parallel', async () => {
    await shop.signIn(ada, { path: '/members' });
    expect(shop.service.log().slice(0, 2)).toEqual(['GET /oauth/authorize', 'POST /oauth/token']);
    expect(shop.service.log().slice(2).sort()).toEqual(['GET /oauth/memberships', 'GET /oauth/userinfo']);
  });

  it('lets tabs that begin at once sign in, each to its own page, of which the newest long one keeps its query', async () => {
    const query = `?${'q'.repeat(1_900)}`;
    const paths = ['/members?tab=1', `/members/2${query}`, '/members?tab=3', `/members/4${query}`];
    let backs: URL[] = [];
    // Attempts that don't know of each other can choose the same cookie: see the next test.
    while (shop.browser.cookies.size < 5) {
      shop.browser.cookies.clear();
      backs = await Promise.all(paths.map((path) => signInUpToReturn(path)));
    }
    const pages: string[] = [];
    for (const { href } of backs) pages.push((await shop.browser.open(href)).url.slice(shop.url.length));
    expect(pages.map((page) => page.replace(query, '?long')).sort()).toEqual([
      expect.stringMatching(/^\/members\/[24]$/),
      expect.stringMatching(/^\/members\/[24]\?long$/),
      '/members?tab=1',
      '/members?tab=3',
    ]);
    expect([...shop.browser.cookies.keys()]).toHaveLength(1);
  });

  it('begins again, once, if an attempt that began at the same time has taken the cookie', async () => {
    const replaceCookie = () => {
      for (const [name, cookie] of shop.browser.cookies) if (name.includes('_in_')) cookie.value = 'another';
    };
    const first = await signInUpToReturn('/members?x=1');
    replaceCookie();
    const page = await shop.browser.open(first.href);
    expect(page).toMatchObject({ status: 200, url: `${shop.url}/members?x=1` });
    const another = await signInUpToReturn();
    replaceCookie();
    const second = await callbackUrl(shop.browser, another.href);
    replaceCookie();
    const failed = await shop.browser.open(second.href);
    expect(failed.status).toBe(400);
    expect(failed.text).toContain('You are already signed in');
  });

  it('lets two tabs sign in at once, each to its own page', async () => {
    const first = await signInUpToReturn('/members?tab=1');
    const second = await signInUpToReturn('/members?tab=2');
    expect((await shop.browser.open(second.href)).url).toBe(`${shop.url}/members?tab=2`);
    expect((await shop.browser.open(first.href)).url).toBe(`${shop.url}/members?tab=1`);
    expect([...shop.browser.cookies.keys()]).toHaveLength(1);
  });

  it.each([
    ['off', false],
    ['URLSearchParams', (query: string) => new URLSearchParams(query)],
  ])('reads its query itself if the query parser of the app is %s', async (_name, parser) => {
    const other = await startShop({
      beside: shop,
      createApp: () => express().set('query parser', parser),
    });
    onTestFinished(() => other.close());
    expect((await other.signIn(ada, { path: '/account' })).text).toContain('Account of');
    const reads = () => shop.service.count('GET /oauth/memberships');
    const before = reads();
    other.clock.advance(2_000);
    await other.browser.request(`${other.url}/auth/session?fresh`);
    expect(reads()).toBe(before + 1);
  });

  it('redirects to the root if returnTo points elsewhere', async () => {
    for (const wanted of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      const page = await shop.signIn(ada, { path: wanted });
      expect(page.url).toBe(`${shop.url}/`);
    }
  });

  it('works below a path of a shared host, behind a proxy that strips it', async () => {
    const appUrl = 'https://example.com/shop';
    const below = await startShop({ beside: shop, options: { appUrl } });
    // The proxy forwards /shop/x as /x.
    below.browser.hosts.set('example.com', below.url);
    const strip = (address: string) => address.replace('/shop', '');
    const away = await below.browser.request(strip(`${appUrl}/members?x=1`), {
      headers: { accept: 'text/html' },
    });
    expect(away.headers.get('location')).toBe(
      `${appUrl}/auth/login?returnTo=${encodeURIComponent('/shop/members?x=1')}`,
    );
    const toService = await below.browser.request(strip(away.headers.get('location') ?? ''));
    const back = await below.browser.request(toService.headers.get('location') ?? '');
    expect(back.headers.get('location')).toMatch(/^https:\/\/example\.com\/shop\/auth\/callback\?/);
    const landed = await below.browser.request(strip(back.headers.get('location') ?? ''));
    expect(landed.headers.get('location')).toBe(`${appUrl}/members?x=1`);
    await below.close();
  });
});

it('works in an app that is mounted in another app', async () => {
  const outer = express();
  const { url, close } = await listen(createServer(outer));
  const inner = await startShop({
    beside: shop,
    options: { appUrl: `${url}/club` },
    routes: (app, auth) => {
      app.use(auth.router);
      app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) => {
        response.send('The inner table is set');
      });
      outer.use('/club', app);
    },
  });
  const page = await inner.browser.open(`${url}/club/members?x=1`);
  expect(page).toMatchObject({ url: `${url}/club/members?x=1`, text: 'The inner table is set' });
  await inner.close();
  await close();
});

it('an endpoint with the wrong method responds with 405 and Allow, as page or as JSON', async () => {
  const opened = await shop.browser.open(`${shop.url}/auth/logout`);
  expect(opened.status).toBe(405);
  expect(opened.headers.get('allow')).toBe('POST');
  expect(opened.text).toContain('This address is not a page');
  const posted = await shop.browser.request(`${shop.url}/auth/session`, { method: 'POST' });
  expect(posted).toMatchObject({ status: 405, json: { error: 'method_not_allowed' } });
  expect(posted.headers.get('allow')).toBe('GET, HEAD');
});

it('other paths below the mount path belong to the app', async () => {
  for (const path of [
    '/auth',
    '/auth/',
    '/auth/unknown',
    '/authors',
    '/auth/login/x',
    '/auth/__proto__',
    '/auth/constructor',
  ]) {
    expect((await shop.browser.request(`${shop.url}${path}`)).status, path).toBe(404);
  }
});

it('a router mounted below its own path fails with an error that names the fix', async () => {
  const doubled = await startShop({ beside: shop, routes: (app, auth) => app.use('/auth', auth.router) });
  const page = await doubled.browser.request(`${doubled.url}/auth/login`);
  expect(page.status).toBe(500);
  expect(page.text).toContain('Use app.use(auth.router) without a path');
  await doubled.close();
});
