import { connect } from 'node:net';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { Browser, NAVIGATION } from './browser.js';
import { callbackUrl, type Shop } from './shop.js';
import { clubUrl, startTwoInstances } from './two-instances.js';

let base: Shop;
let shop: Shop;
const ada: FakeUser = fakeUser('ada@example.com', [fakeMembership()]);
const ben: FakeUser = fakeUser('ben@example.com');

beforeAll(async () => {
  ({ base, shop } = await startTwoInstances());
});
afterAll(async () => {
  await shop.close();
  await base.close();
});

const visitor = (): Browser => {
  const browser = new Browser();
  browser.hosts.set(new URL(clubUrl).host, shop.url);
  return browser;
};
const who = async (browser: Browser) => JSON.parse((await browser.request(`${shop.url}/who`)).text);

const returnOf = (browser: Browser, login = `${shop.url}/auth/login`) => callbackUrl(browser, login);

/** Sends a raw request and returns the head of the response. */
async function raw(lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
  socket.on('error', () => {});
  // The socket is not ended, because a half-closed connection receives no delayed response.
  socket.write([...lines, 'Host: shop', 'Connection: close', '', ''].join('\r\n'), 'latin1');
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text.split('\r\n\r\n')[0] ?? '';
}

const locationIn = (head: string) => /^location: (.*)$/im.exec(head)?.[1];

describe('an open redirect', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '/',
        '//',
        '\\',
        '/\\',
        '.',
        '..',
        '@',
        ':',
        '?',
        '#',
        '%2f',
        '%5c',
        '%09',
        '%0d%0a',
        ';',
        '&',
        ' ',
        '\t',
        '\n',
      ],
      ...[
        'evil.example',
        'https:',
        'javascript:',
        'data:',
        'http:/',
        '\u2028',
        '\u00a0',
        '\uff0f',
        '\u3002',
        'localhost',
      ],
    ),
    fc.string({ maxLength: 4, unit: 'binary' }),
  );
  const hostile = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));

  it('is impossible by returnTo: sign-in ends on this origin', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (wanted) => {
        const browser = visitor();
        shop.service.visitor = ada;
        const back = await returnOf(browser, `${shop.url}/auth/login?returnTo=${encodeURIComponent(wanted)}`);
        const done = await browser.request(back.href);
        expect(done.status).toBe(302);
        expect(new URL(done.headers.get('location') ?? '', back).origin).toBe(shop.url);
      }),
      fuzzRuns(80),
    );
  }, 60_000);

  it('is impossible by the path of a gated page, in any form', async () => {
    const path = hostile.map(
      (text) => `/${encodeURI(text.replaceAll(/[\ud800-\udfff]/g, '')).replaceAll('%5C', '\\')}`,
    );
    await fc.assert(
      fc.asyncProperty(path, async (target) => {
        const head = await raw([`GET ${target} HTTP/1.1`, `Accept: ${NAVIGATION.accept}`]);
        const location = locationIn(head);
        if (location === undefined) return;
        const login = new URL(location);
        expect(login.origin).toBe(shop.url);
        const returnTo = login.searchParams.get('returnTo') ?? '/';
        expect(new URL(returnTo, shop.url).origin).toBe(shop.url);
      }),
      fuzzRuns(200),
    );
  }, 60_000);

  it.each([
    'returnTo[]=//evil.example',
    'returnTo=/members&returnTo=//evil.example',
    'returnTo[__proto__]=//evil.example',
    'returnTo[href]=https://evil.example',
    'ReturnTo=https://evil.example',
    'returnTo=%00//evil.example',
    'returnTo=/%2e%2e//evil.example',
    'returnTo=/a/..//evil.example',
    'returnTo=https://user@evil.example%5c@shop',
    `returnTo=/${'a'.repeat(5000)}`,
  ])('is impossible by %s', async (query) => {
    const browser = visitor();
    shop.service.visitor = ada;
    const done = await browser.request((await returnOf(browser, `${shop.url}/auth/login?${query}`)).href);
    expect(done.headers.get('location')?.startsWith(`${shop.url}/`)).toBe(true);
    expect(new URL(done.headers.get('location') ?? '').pathname.startsWith('//')).toBe(false);
  });

  it('is impossible by Host or forwarding headers', async () => {
    for (const path of ['/members', '/auth/login?returnTo=/members']) {
      const head = await raw([
        `GET ${path} HTTP/1.1`,
        `Accept: ${NAVIGATION.accept}`,
        'X-Forwarded-Host: evil.example',
        'X-Forwarded-Proto: https',
        'Forwarded: host=evil.example',
      ]);
      expect(head).not.toContain('evil.example');
    }
  });
});

describe('header injection', () => {
  it.each([
    '%0d%0aSet-Cookie:%20planted=1',
    '%0aSet-Cookie:planted=1',
    '%E5%98%8A%E5%98%8DSet-Cookie:planted=1',
  ])('is impossible by returnTo, scope or the requested path: %s', async (payload) => {
    for (const path of [
      `/auth/login?returnTo=/${payload}`,
      `/auth/login?scope=${payload}`,
      `/auth/callback?state=${payload}&code=${payload}`,
      `/members?x=${payload}`,
    ]) {
      const head = await raw([`GET ${path} HTTP/1.1`, `Accept: ${NAVIGATION.accept}`]);
      expect(head).toMatch(/^HTTP\/1\.1 [34]\d\d /);
      expect(head).not.toMatch(/^set-cookie:\s*planted/im);
    }
  });
});

describe('two instances in one app', () => {
  it("reject each other's authorization responses, even with their cookies", {
    tags: ['authorize.state-verified'],
  }, async () => {
    const browser = visitor();
    shop.service.visitor = ada;
    const forShop = await returnOf(browser);
    const forClub = await returnOf(browser, `${clubUrl}/club/login`);
    const tokens = shop.service.count('POST /oauth/token');
    const crossed = [
      `${clubUrl}/club/callback${forShop.search}`,
      `${shop.url}/auth/callback${forClub.search}`,
    ];
    for (const address of crossed) expect((await browser.open(address)).status).toBe(400);
    expect(shop.service.count('POST /oauth/token')).toBe(tokens);
    expect(await who(browser)).toEqual([null, null]);
    // The attempt is still valid at its own instance.
    await browser.open(forShop.href);
    await browser.open(forClub.href);
    expect(await who(browser)).toEqual(['ada@example.com', 'ada@example.com']);
  });

  it("reject each other's cookies under their own cookie names", async () => {
    const browser = visitor();
    await shop.signIn(ada, { browser });
    await browser.open(`${clubUrl}/club/login`);
    const names = [...browser.cookies.keys()];
    expect(names).toHaveLength(2);
    const values = names.map((name) => browser.cookies.get(name)?.value);
    const cookie = names.map((name, index) => `${name}=${values[1 - index]}`).join('; ');
    const crossed = await new Browser().request(`${shop.url}/who`, { headers: { cookie } });
    expect(crossed.text).toBe('[null,null]');
  });
});

describe('login CSRF and session fixation', () => {
  it("an attacker's completed sign-in signs no visitor in and does not change a session", async () => {
    const mallory = visitor();
    shop.service.visitor = fakeUser('mallory@example.com');
    const planted = await returnOf(mallory);
    const victim = visitor();
    expect((await victim.open(planted.href)).status).toBe(400);
    expect(await who(victim)).toEqual([null, null]);
    await shop.signIn(ada, { browser: victim });
    const page = await victim.open(planted.href);
    expect(page.status).toBe(400);
    expect(page.text).toContain('You are already signed in');
    expect(await who(victim)).toEqual(['ada@example.com', null]);
  });

  it("an attacker's popup code is rejected from another site and without an origin", async () => {
    const code = shop.popupCode(fakeUser('mallory@example.com'));
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: shop.url },
      { 'sec-fetch-site': 'same-origin, cross-site' },
    ]) {
      const victim = visitor();
      expect((await shop.exchange(code, { browser: victim, headers })).status).toBe(403);
      expect(victim.cookies.size).toBe(0);
    }
  });

  it('leaves a copy of the cookie before the sign-in valid for a minute at most', async () => {
    const browser = visitor();
    await shop.signIn(ben, { browser });
    const before = shop.sessionCookie(browser);
    await shop.signIn(ada, { browser });
    expect(shop.sessionCookie(browser)?.value).not.toBe(before?.value);
    expect(await who(browser)).toEqual(['ada@example.com', null]);
    const cookie = `${before?.name}=${before?.value}`;
    const copy = async () => (await new Browser().request(`${shop.url}/who`, { headers: { cookie } })).text;
    // Requests that the browser has in flight still carry the old cookie.
    shop.clock.advance(59_000);
    expect(await copy()).toBe('["ben@example.com",null]');
    shop.clock.advance(1_000);
    expect(await copy()).toBe('[null,null]');
    expect(await who(browser)).toEqual(['ada@example.com', null]);
  });
});
