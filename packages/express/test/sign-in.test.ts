import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeUser,
  fakeMembership,
  fakeUser,
  PUBLIC_CLIENT,
} from '@latchkey/test-services';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from './browser.js';
import { listen } from './listen.js';
import { MINUTE } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
  shop.service.visitor = ada;
});
afterEach(() => shop.close());

/** Signs in up to the service. Returns the URL that it redirects the visitor to. */
async function signInUpToReturn(path = '/', browser = shop.browser): Promise<URL> {
  const away = await browser.request(`${shop.url}/auth/login?returnTo=${encodeURIComponent(path)}`);
  const back = await browser.request(away.headers.get('location') ?? '');
  return new URL(back.headers.get('location') ?? '');
}

describe('GET /auth/login', () => {
  it('redirects to the service with the callback of appUrl, the scope, a state and a PKCE challenge [authorize.challenge-derivation]', async () => {
    const away = await shop.browser.request(`${shop.url}/auth/login`);
    expect(away.status).toBe(302);
    const address = new URL(away.headers.get('location') ?? '');
    expect(`${address.origin}${address.pathname}`).toBe(`${shop.service.url}/oauth/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: CONFIDENTIAL_CLIENT,
      redirect_uri: `${shop.url}/auth/callback`,
      scope: 'memberships.read',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    await shop.browser.open(address.href);
    const challenge = createHash('sha256').update(shop.service.forms()[0]?.get('code_verifier') ?? '');
    expect(challenge.digest('base64url')).toBe(address.searchParams.get('code_challenge'));
  });

  it('derives the redirect URI from appUrl, whatever Host and forwarding headers contain', async () => {
    const away = await shop.browser.request(`${shop.url}/auth/login`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    const redirectUri = new URL(away.headers.get('location') ?? '').searchParams.get('redirect_uri');
    expect(redirectUri).toBe(`${shop.url}/auth/callback`);
    expect(away.headers.getSetCookie()[0]).not.toContain('Secure');
  });

  it('keeps the attempt in an encrypted HttpOnly cookie for ten minutes, limited to the mount path', async () => {
    const away = await shop.browser.request(`${shop.url}/auth/login`);
    const [header = '', ...others] = away.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(header).toMatch(
      /^latchkey_in_[0-9a-f]{8}_[\w-]{22}=eyJ[\w.-]+; Path=\/auth; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect(header).not.toContain(new URL(away.headers.get('location') ?? '').searchParams.get('state'));
    expect(away.headers.get('cache-control')).toBe('private, no-store');
    expect(away.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('uses a __Host- cookie on https, which no sibling domain can set', async () => {
    const secure = await startShop({ options: { appUrl: 'https://shop.example' }, beside: shop });
    const away = await secure.browser.request(`${secure.url}/auth/login`);
    expect(away.headers.getSetCookie()[0]).toMatch(
      /^__Host-latchkey_in_.*; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    await secure.close();
  });

  it('deletes the oldest unfinished attempts before the headers grow too large', async () => {
    for (let attempt = 0; attempt < 40; attempt += 1)
      await shop.browser.request(`${shop.url}/auth/login?returnTo=/table/${attempt}`);
    expect(shop.browser.headerFor('/auth/callback').length).toBeLessThan(5000);
    expect(shop.browser.cookies.size).toBeGreaterThan(4);
    expect((await shop.signIn(ada)).text).toBe('Hello ada@example.com');
  });
});

describe('GET /auth/callback', () => {
  it('signs the visitor in, with credentials in the body, and redirects to the requested page [token.client-secret-post] [token.accept-created]', async () => {
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

  it('works for a public client without a secret [general.widget-is-public-client]', async () => {
    const open = await startShop({ client: 'public', beside: shop });
    expect((await open.signIn(ada)).text).toBe('Hello ada@example.com');
    expect(shop.service.forms()[0]?.get('client_id')).toBe(PUBLIC_CLIENT);
    expect(shop.service.forms()[0]?.has('client_secret')).toBe(false);
    await open.close();
  });

  it('identifies a user by sub, also without an email [userinfo.sub-is-the-key] [userinfo.email-nullable]', async () => {
    const nameless = fakeUser(null);
    await shop.signIn(nameless);
    expect((await shop.browser.request(`${shop.url}/account`)).text).toBe(`Account of ${nameless.sub}`);
  });

  it('requests only token, identity and memberships, the last two in parallel', async () => {
    await shop.signIn(ada, { path: '/members' });
    expect(shop.service.log().slice(0, 2)).toEqual(['GET /oauth/authorize', 'POST /oauth/token']);
    expect(shop.service.log().slice(2).sort()).toEqual(['GET /oauth/memberships', 'GET /oauth/userinfo']);
  });

  it('lets two tabs sign in at once, each to its own page', async () => {
    const first = await signInUpToReturn('/members?tab=1');
    const second = await signInUpToReturn('/members?tab=2');
    expect((await shop.browser.open(second.href)).url).toBe(`${shop.url}/members?tab=2`);
    expect((await shop.browser.open(first.href)).url).toBe(`${shop.url}/members?tab=1`);
    expect([...shop.browser.cookies.keys()]).toHaveLength(1);
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
      app.get('/members', auth.requireMembership({ productType: 'community' }), (_request, response) => {
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

describe('a failed sign-in', () => {
  const logged = () =>
    shop.log.map(({ message, details }) => `${message} ${JSON.stringify(details ?? {})}`).join('\n');

  it('because the visitor declined sends a page with a retry link for the requested page [authorize.state-verified]', async () => {
    shop.service.visitor = undefined;
    const page = await shop.browser.open(`${shop.url}/auth/login?returnTo=/members?x=1`);
    expect(page.status).toBe(403);
    expect(page.url).toContain(`${shop.url}/auth/callback?`);
    expect(page.text).toContain('You declined access');
    expect(page.text).toContain('<a href="/auth/login?returnTo=%2Fmembers%3Fx%3D1">Try again</a>');
    expect(shop.log).toEqual([]);
    expect(shop.browser.cookies.size).toBe(0);
  });

  it('because the state belongs to no attempt of this browser redeems no code and creates no session [authorize.state-verified]', async () => {
    const elsewhere = await signInUpToReturn('/', new Browser());
    const page = await shop.browser.open(elsewhere.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('did not send the cookie');
    expect(shop.service.count('POST /oauth/token')).toBe(0);
    expect(logged()).toMatch(/was not sent.*the request has no cookies/);
  });

  it('because the state was swapped with that of another attempt creates no session: the code does not match its verifier [authorize.state-verified]', async () => {
    const mine = await signInUpToReturn();
    const other = await signInUpToReturn('/', new Browser());
    mine.searchParams.set('code', other.searchParams.get('code') ?? '');
    const page = await shop.browser.open(mine.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Sign-in took too long');
    expect(shop.sessionCookie()).toBeUndefined();
  });

  it('because of a cookie under the name of another state creates no session', async () => {
    const mallory = new Browser();
    const planted = await signInUpToReturn('/', mallory);
    const mine = await signInUpToReturn();
    const [[myName] = ['']] = shop.browser.cookies;
    const [[, theirs] = ['', undefined]] = mallory.cookies;
    if (theirs) shop.browser.cookies.set(myName, theirs);
    planted.searchParams.set('state', mine.searchParams.get('state') ?? '');
    const page = await shop.browser.open(planted.href);
    expect(page.status).toBe(400);
    expect(shop.service.count('POST /oauth/token')).toBe(0);
    expect(logged()).toMatch(/cannot be decrypted.*cookieSecret/);
  });

  it('because the callback is opened again (Back button) reports this and keeps the session', async () => {
    const address = await signInUpToReturn();
    const cookies = shop.browser.headerFor('/auth/callback');
    await shop.browser.open(address.href);
    const again = await shop.browser.open(address.href);
    expect(again.status).toBe(400);
    expect(again.text).toContain('You are already signed in');
    expect(again.text).toContain('<a href="/">Continue</a>');
    // The cookie of the attempt cannot be replayed either.
    const replayed = await new Browser().open(address.href, { headers: { cookie: cookies }, follow: false });
    expect(replayed.status).toBe(400);
    expect(shop.service.count('POST /oauth/token')).toBe(1);
    expect(logged()).toContain('Back button');
    expect((await shop.browser.request(`${shop.url}/`)).text).toBe('Hello ada@example.com');
  });

  it('lets only one of two simultaneous callbacks succeed', async () => {
    const address = await signInUpToReturn();
    const twice = await Promise.all([1, 2].map(() => shop.browser.request(address.href)));
    expect(twice.map(({ status }) => status).sort()).toEqual([302, 400]);
    expect(shop.service.count('POST /oauth/token')).toBe(1);
  });

  it('because ten minutes have passed reports this, even if the browser sent the cookie', async () => {
    const inTime = await signInUpToReturn();
    shop.clock.advance(10 * MINUTE - 1);
    expect((await shop.browser.open(inTime.href)).text).toContain('took too long');
    expect(shop.service.count('POST /oauth/token')).toBe(1);
    const late = await signInUpToReturn('/members');
    shop.clock.advance(10 * MINUTE);
    const page = await shop.browser.open(late.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('took too long');
    expect(page.text).toContain('href="/auth/login?returnTo=%2Fmembers"');
    expect(shop.service.count('POST /oauth/token')).toBe(1);
    expect(logged()).toContain('more than ten minutes');
  });

  it('because the code expired after 60 seconds offers a retry [credentials.code-lifetime]', async () => {
    const address = await signInUpToReturn();
    shop.clock.advance(MINUTE);
    const page = await shop.browser.open(address.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('took too long');
  });

  it('because of a missing state reports this', async () => {
    const page = await shop.browser.open(`${shop.url}/auth/callback?code=abc`);
    expect(page.status).toBe(400);
    expect(logged()).toContain('without a state');
  });

  it('because of a repeated state is rejected [authorize.state-verified]', async () => {
    const address = await signInUpToReturn();
    address.searchParams.append('state', 'another');
    expect((await shop.browser.open(address.href)).status).toBe(400);
    expect(shop.sessionCookie()).toBeUndefined();
  });

  it('logs the host as the likely cause if it differs from appUrl', async () => {
    const address = await signInUpToReturn('/', new Browser());
    address.hostname = 'localhost';
    shop.browser.hosts.set(address.host, shop.url);
    await shop.browser.open(`${shop.url}/auth/callback?code=x&state=${'s'.repeat(43)}`, {
      headers: { cookie: 'a=b' },
    });
    expect(logged()).not.toContain('Host header');
    const https = await startShop({ beside: shop, options: { appUrl: 'https://shop.example' } });
    await https.browser.open(`${https.url}/auth/callback?code=x&state=${'s'.repeat(43)}`);
    expect(JSON.stringify(https.log)).toMatch(
      /Host header differs from appUrl \(shop\.example\).*Secure cookies/,
    );
    await https.close();
  });

  it.each([
    ['reset', 503, 'could not be reached'],
    ['server-error', 503, 'could not be reached'],
    ['html', 502, 'rejected the request'],
    ['response-lost', 503, 'could not be reached'],
  ] as const)('because the token endpoint fails with %s responds with %i', async (fault, status, text) => {
    shop.service.on('/oauth/token', fault);
    const page = await shop.signIn(ada);
    expect(page.status).toBe(status);
    expect(page.text).toContain(text);
    expect(page.text).toContain('Try again');
    expect(shop.browser.cookies.size).toBe(0);
    expect(shop.log[0]).toMatchObject({ level: 'error', message: 'Sign-in failed.' });
  });

  it('because the service never responds ends with the timeout', async () => {
    const impatient = await startShop({ beside: shop, options: { timeoutMs: 600 } });
    shop.service.on('/oauth/token', 'hang');
    const page = await impatient.signIn(ada);
    expect(page.status).toBe(503);
    await impatient.close();
  });

  it('because of wrong credentials logs which ones to compare, and does not tell the visitor [oauth-error.branch-on-error]', async () => {
    const wrong = await startShop({ beside: shop, options: { clientSecret: `ocs_${'6'.repeat(48)}` } });
    const page = await wrong.signIn(ada);
    expect(page.status).toBe(502);
    expect(page.text).not.toMatch(/client|secret/i);
    expect(JSON.stringify(wrong.log)).toMatch(/invalid_client.*Compare clientId and clientSecret/);
    expect(JSON.stringify(wrong.log)).not.toContain('666666');
    await wrong.close();
  });

  it('because the identity cannot be parsed revokes the unused tokens', async () => {
    shop.service.on('/oauth/userinfo', 'server-error');
    expect((await shop.signIn(ada)).status).toBe(503);
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
  });

  it('does not result from memberships that cannot be fetched yet', async () => {
    shop.service.on('/oauth/memberships', 'server-error');
    expect((await shop.signIn(ada)).text).toBe('Hello ada@example.com');
  });

  it('never logs codes, verifiers, tokens, secrets or cookies', async () => {
    const address = await signInUpToReturn();
    shop.service.on('/oauth/token', 'server-error');
    await shop.browser.open(address.href);
    const text = logged();
    expect(text).not.toBe('');
    for (const secret of [
      address.searchParams.get('code'),
      address.searchParams.get('state'),
      shop.service.forms()[0]?.get('code_verifier') ?? 'no verifier was sent',
      CLIENT_SECRET,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('is reported as JSON on request', async () => {
    const page = await shop.browser.request(`${shop.url}/auth/callback?error=access_denied`, {
      headers: { accept: 'application/json' },
    });
    expect(page).toMatchObject({
      status: 400,
      json: { error: 'sign_in_failed', message: expect.any(String) },
    });
  });

  it('is shown on a custom page', async () => {
    const own = await startShop({
      beside: shop,
      options: {
        pages: {
          signInFailed: async (_request, response, { reason, message, retryUrl }) => {
            response.send(`Ours: ${reason} | ${message} | ${retryUrl}`);
          },
        },
      },
    });
    shop.service.visitor = undefined;
    const page = await own.browser.open(`${own.url}/auth/login?returnTo=/members`);
    expect(page.status).toBe(403);
    expect(page.text).toMatch(
      /^Ours: declined \| You declined access.* \| \/auth\/login\?returnTo=%2Fmembers$/,
    );
    await own.close();
  });

  it('sends a page without scripts, whose policy forbids them, and with no code in a referrer', async () => {
    const page = await shop.browser.open(`${shop.url}/auth/callback?code=abc`);
    const policy = page.headers.get('content-security-policy') ?? '';
    const style = /<style>([\s\S]*)<\/style>/.exec(page.text)?.[1] ?? '';
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.text).not.toMatch(/<script| style=| on\w+=/);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });
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
