import { createHash } from 'node:crypto';
import {
  CLIENT_SECRET,
  type FakeUser,
  fakeMembership,
  fakeUser,
} from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Browser } from './browser.js';
import { MINUTE } from './manual-clock.js';
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

describe('a proxy without a service behind it', () => {
  const refuseOnce = (line: string, status: number, headers = {}) => {
    const refusals = [new Response('<h1>Bad Gateway</h1>', { status, headers })];
    shop.service.on(line, () => refusals.pop());
  };

  it.each<[number, Record<string, string>]>([
    [429, { 'retry-after': '1' }],
    [502, {}],
    [503, { 'retry-after': '1' }],
    [504, {}],
  ])('that answers a GET once with %d %j does not end the sign-in', async (status, headers) => {
    refuseOnce('GET /oauth/userinfo', status, headers);
    expect((await shop.signIn(ada)).text).toContain('Hello ada@example.com');
  });

  it.each([
    ['GET /oauth/userinfo', 503, { 'retry-after': '60' }],
    ['GET /oauth/userinfo', 503, { 'retry-after': 'Sun, 29 Nov 2026 00:00:00 GMT' }],
    ['GET /oauth/userinfo', 500, {}],
    ['POST /oauth/token', 502, {}],
  ])('that answers %s with %d %j is not asked again', async (line, status, headers) => {
    refuseOnce(line, status, headers);
    expect((await shop.signIn(ada)).text).toContain('could not be reached');
    expect(shop.service.count(line)).toBe(1);
  });

  it('delays a visitor for no longer than timeoutMs', async () => {
    const impatient = await startShop({ beside: shop, options: { timeoutMs: 600 } });
    onTestFinished(() => impatient.close());
    refuseOnce('GET /oauth/userinfo', 503, { 'retry-after': '2' });
    const back = await callbackUrl(impatient.browser, `${impatient.url}/auth/login`);
    const startedAt = performance.now();
    expect((await impatient.browser.open(back.href)).status).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

/** A cookie under the name that belongs to a state, with what can be known of that state as its value. */
function attemptCookie(state: string): string {
  const hash = createHash('sha256').update(state).digest('base64url').slice(0, 22);
  const [name = ''] = shop.browser.cookies.keys();
  return `${name.slice(0, -1)}${hash.charAt(0)}=${hash}`;
}

describe('a failed sign-in', () => {
  const logged = () =>
    shop.log.map(({ message, details }) => `${message} ${JSON.stringify(details ?? {})}`).join('\n');

  it('because the visitor declined sends a page with a retry link for the requested page', {
    tags: ['authorize.state-verified'],
  }, async () => {
    shop.service.visitor = undefined;
    const page = await shop.browser.open(`${shop.url}/auth/login?returnTo=/members?x=1`);
    expect(page.status).toBe(403);
    expect(page.url).toContain(`${shop.url}/auth/callback?`);
    expect(page.text).toContain('You declined access');
    expect(page.text).toContain('<a href="/auth/login?returnTo=%2Fmembers%3Fx%3D1">Try again</a>');
    expect(shop.log).toEqual([]);
    expect(shop.browser.cookies.size).toBe(0);
  });

  it('because the state belongs to no attempt of this browser redeems no code and creates no session', {
    tags: ['authorize.state-verified'],
  }, async () => {
    const elsewhere = await signInUpToReturn('/', new Browser());
    const page = await shop.browser.open(elsewhere.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('did not send the cookie');
    expect(shop.service.count('POST /oauth/token')).toBe(0);
    expect(logged()).toMatch(/was not sent.*the request has no cookies/);
  });

  it('because the state was swapped with that of another attempt creates no session: the code does not match its verifier', {
    tags: ['authorize.state-verified'],
  }, async () => {
    const mine = await signInUpToReturn();
    const other = await signInUpToReturn('/', new Browser());
    mine.searchParams.set('code', other.searchParams.get('code') ?? '');
    const page = await shop.browser.open(mine.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('rejected this sign-in');
    expect(logged()).toMatch(/invalid_grant.*another redirect URI or verifier/);
    expect(shop.sessionCookie()).toBeUndefined();
  });

  it('because the state was made up or sealed with another secret creates no session', async () => {
    const mine = await signInUpToReturn();
    mine.searchParams.set('state', 'made-up');
    const page = await new Browser().open(mine.href, { headers: { cookie: attemptCookie('made-up') } });
    expect(page.status).toBe(400);
    expect(shop.service.count('POST /oauth/token')).toBe(0);
    expect(logged()).toMatch(/cannot be decrypted.*cookieSecret/);
  });

  it('because somebody who only knows the address made up the cookie redeems no code: their own sign-in begins', async () => {
    const address = await signInUpToReturn();
    const cookie = attemptCookie(address.searchParams.get('state') ?? '');
    const page = await new Browser().request(address.href, { headers: { cookie } });
    expect(page.headers.get('location')).toContain(`${shop.service.url}/oauth/authorize?`);
    expect(shop.service.count('POST /oauth/token')).toBe(0);
  });

  it('is not reported by a callback that is opened again within a minute (Back button, reload): it repeats the result', async () => {
    const address = await signInUpToReturn('/members');
    await shop.browser.open(address.href, { follow: false });
    const again = await shop.browser.open(address.href, { follow: false });
    expect(again).toMatchObject({ status: 302 });
    expect(again.headers.get('location')).toBe(`${shop.url}/members`);
    expect(shop.service.count('POST /oauth/token')).toBe(1);
    // Whoever only knows the address gets nothing.
    expect(await new Browser().open(address.href, { follow: false })).toMatchObject({ status: 400 });
  });

  it('because the callback is opened again later reports this and keeps the session', async () => {
    const address = await signInUpToReturn();
    const cookies = shop.browser.headerFor('/auth/callback');
    await shop.browser.open(address.href);
    shop.clock.advance(MINUTE);
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

  it('is not repeated as a success after the visitor has signed out', async () => {
    const address = await signInUpToReturn();
    const cookie = shop.browser.headerFor('/auth/callback');
    await shop.browser.open(address.href);
    await shop.browser.request(`${shop.url}/auth/logout`, { method: 'POST', headers: { origin: shop.url } });
    const replayed = await shop.browser.open(address.href, { headers: { cookie }, follow: false });
    expect(replayed.status).toBe(400);
    expect(shop.sessionCookie()).toBeUndefined();
  });

  it('gives two simultaneous callbacks the same session, for one code', async () => {
    const address = await signInUpToReturn();
    const browsers = [new Browser(), new Browser()];
    const cookie = shop.browser.headerFor('/auth/callback');
    const twice = await Promise.all(
      browsers.map((each) => each.request(address.href, { headers: { cookie } })),
    );
    expect(twice.map(({ status }) => status)).toEqual([302, 302]);
    expect(shop.service.count('POST /oauth/token')).toBe(1);
    for (const each of browsers)
      expect((await each.request(`${shop.url}/`)).text).toBe('Hello ada@example.com');
  });

  it('repeats a failure to a reload, without the page of the visitor', async () => {
    const address = await signInUpToReturn('/members');
    shop.clock.advance(MINUTE);
    const first = await shop.browser.open(address.href);
    expect(first.status).toBe(400);
    expect(first.text).toContain('returnTo=%2Fmembers');
    const again = await shop.browser.open(address.href);
    expect(again.text).toContain('took too long');
    // The browser has no cookie of the attempt any more, as anybody who knows the address.
    expect(again.text).not.toContain('members');
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

  it('because the code expired after 60 seconds offers a retry', {
    tags: ['credentials.code-lifetime'],
  }, async () => {
    const address = await signInUpToReturn();
    shop.clock.advance(MINUTE);
    const page = await shop.browser.open(address.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('took too long');
  });

  it('because another process has redeemed the code, or for another cause, reports no expiry', async () => {
    const address = await signInUpToReturn('/members');
    const cookie = shop.browser.headerFor('/auth/callback');
    expect((await shop.browser.open(address.href, { follow: false })).status).toBe(302);
    const other = await startShop({ beside: shop, options: { appUrl: shop.url } });
    // A reload dropped the first response. The attempt's cookie has the name of appUrl, and so fits both processes.
    const page = await new Browser().open(address.href.replace(shop.url, other.url), { headers: { cookie } });
    expect(page.status).toBe(400);
    expect(page.text).toContain('rejected this sign-in. Please start a new one.');
    expect(page.text).toContain('returnTo=%2Fmembers');
    await other.close();
  });

  it('because of a missing state reports this', async () => {
    const page = await shop.browser.open(`${shop.url}/auth/callback?code=abc`);
    expect(page.status).toBe(400);
    expect(logged()).toContain('without a state');
  });

  it('because of a repeated state is rejected', { tags: ['authorize.state-verified'] }, async () => {
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
    ['html', 502, 'rejected this sign-in'],
    ['response-lost', 503, 'could not be reached'],
  ] as const)('because the token endpoint fails with %s responds with %i', async (fault, status, text) => {
    shop.service.on('/oauth/token', fault);
    const page = await shop.signIn(ada);
    expect(page.status).toBe(status);
    expect(page.text).toContain(text);
    expect(page.text).toContain('Try again');
    expect(shop.browser.cookies.size).toBe(0);
    expect(shop.log[0]).toMatchObject({
      level: 'error',
      message: expect.stringContaining('Sign-in failed.') as string,
    });
  });

  it('because the service never responds ends with the timeout', async () => {
    const impatient = await startShop({ beside: shop, options: { timeoutMs: 600 } });
    shop.service.on('/oauth/token', 'hang');
    const page = await impatient.signIn(ada);
    expect(page.status).toBe(503);
    await impatient.close();
  });

  it('because of wrong credentials logs which ones to compare, and does not tell the visitor', {
    tags: ['oauth-error.branch-on-error'],
  }, async () => {
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
