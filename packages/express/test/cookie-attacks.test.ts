import { fakeUser } from '@latchkey/conformance/scripted-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.js';
import { MapStore } from './map-store.js';
import { otherSpellings } from './other-spellings.js';
import { sendLines } from './send-lines.js';
import { callbackUrl, type Shop, startShop } from './shop.js';

const APP_URL = 'https://shop.example';
const ada = fakeUser('ada@example.com');
const mallory = fakeUser('mallory@example.com');

let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ options: { appUrl: APP_URL } });
});
afterAll(() => shop.close());

function visitor(): Browser {
  const browser = new Browser();
  browser.hosts.set(new URL(APP_URL).host, shop.url);
  return browser;
}

/** Signs a user in. Returns the name and value of the session cookie. */
async function sessionOf(user: typeof ada): Promise<{ name: string; value: string }> {
  const browser = visitor();
  await shop.signIn(user, { browser });
  const { name = '', value = '' } = shop.sessionCookie(browser) ?? {};
  return { name, value };
}

const greetingFor = async (cookie: string) =>
  (await sendLines(shop.url, ['GET / HTTP/1.1', `Cookie: ${cookie}`])).body;

describe('a cookie that a sibling domain sets', () => {
  // A sibling domain cannot set the name of the session cookie, because of its prefix. It can set similar names.
  const tossed: readonly [name: string, header: (name: string, value: string) => string][] = [
    ['the name without its prefix', (name, value) => `${name.replace('__Host-', '')}=${value}`],
    ['another prefix', (name, value) => `${name.replace('__Host-', '__Secure-')}=${value}`],
    ['another letter case', (name, value) => `${name.replace('__Host-', '__HOST-')}=${value}`],
    ['no name, and the name in the value', (name, value) => `=${name}=${value}`],
    ['a no-break space before the name', (name, value) => `\u00a0${name}=${value}`],
    ['a next-line character before the name', (name, value) => `\u0085${name}=${value}`],
    ['a Unicode space before the name', (name, value) => `\u00e2\u0080\u0080${name}=${value}`],
    ['a tab before the name', (name, value) => `a=b;\t${name}=${value}`],
    ['a space behind the name', (name, value) => `${name} =${value}`],
    ['a no-break space behind the name', (name, value) => `${name}\u00a0=${value}`],
    ['quotation marks', (name, value) => `"${name}"=${value}`],
    ['a comma in another cookie', (name, value) => `a=b, ${name}=${value}`],
    ['an encoded name', (name, value) => `${name.replace('_', '%5F')}=${value}`],
    ['brackets', (name, value) => `${name}[]=${value}`],
    ['a longer name', (name, value) => `${name}_=${value}`],
  ];

  it.each(tossed)('signs nobody in with %s, and does not hide the real one', async (_what, header) => {
    const planted = await sessionOf(mallory);
    const real = await sessionOf(ada);
    const foreign = header(planted.name, planted.value);
    expect(await greetingFor(foreign)).toBe('Hello stranger');
    for (const cookie of [
      `${foreign}; ${real.name}=${real.value}`,
      `${real.name}=${real.value}; ${foreign}`,
    ]) {
      expect(await greetingFor(cookie)).toBe('Hello ada@example.com');
    }
  });
});

describe('several session cookies in one request', () => {
  it('count as the first one alone: an altered first one is not replaced by the second', async () => {
    const { name, value } = await sessionOf(ada);
    const other = await sessionOf(mallory);
    expect(await greetingFor(`${name}=${value}; ${name}=${other.value}`)).toBe('Hello ada@example.com');
    for (const first of ['', 'x', value.slice(0, -4), `"${value}"`, value.split('.').slice(0, 3).join('.')]) {
      expect(await greetingFor(`${name}=${first}; ${name}=${other.value}`), first).toBe('Hello stranger');
    }
  });
});

describe('a callback with parameters of two sign-ins', () => {
  const mixtures: readonly [
    what: string,
    search: (own: URLSearchParams, foreign: URLSearchParams) => string,
  ][] = [
    [
      'the code of another browser',
      (own, foreign) => `state=${own.get('state')}&code=${foreign.get('code')}`,
    ],
    [
      'the state of another browser',
      (own, foreign) => `state=${foreign.get('state')}&code=${own.get('code')}`,
    ],
    ['both of another browser', (_own, foreign) => `${foreign}`],
    ['both codes', (own, foreign) => `${own}&code=${foreign.get('code')}`],
    ['both codes, the foreign one first', (own, foreign) => `code=${foreign.get('code')}&${own}`],
    ['both states', (own, foreign) => `${own}&state=${foreign.get('state')}`],
    ['both states, the foreign one first', (own, foreign) => `state=${foreign.get('state')}&${own}`],
    ['lists', (own, foreign) => `state[]=${own.get('state')}&code[]=${foreign.get('code')}`],
    ['a code and an error', (own) => `${own}&error=access_denied`],
    ['an empty code', (own) => `state=${own.get('state')}&code=`],
  ];

  it.each(mixtures)('signs nobody in: %s', async (_what, search) => {
    const [victim, attacker] = [visitor(), visitor()];
    shop.service.visitor = ada;
    const own = await callbackUrl(victim, `${APP_URL}/auth/login`);
    shop.service.visitor = mallory;
    const foreign = await callbackUrl(attacker, `${APP_URL}/auth/login`);
    const query = search(own.searchParams, foreign.searchParams);
    const page = await victim.request(`${APP_URL}/auth/callback?${query}`);
    // A foreign state can lead to a sign-in of the victim's own.
    if (page.status === 302) expect(page.headers.get('location')).toContain('/oauth/authorize?');
    else expect([400, 403, 502]).toContain(page.status);
    expect(shop.sessionCookie(victim)).toBeUndefined();
  });
});

describe.each([
  ['sealed', {}],
  ['stored', { session: { store: new MapStore() } }],
])('the cookie of a %s session', (_kind, options) => {
  it('signs in in one spelling only, so a sign-out ends it', async ({ onTestFinished }) => {
    const shop = await startShop({ options });
    onTestFinished(() => shop.close());
    await shop.signIn(ada);
    const { name = '', value = '' } = shop.sessionCookie(shop.browser) ?? {};
    const greetingFor = async (text: string) =>
      (await sendLines(shop.url, ['GET / HTTP/1.1', `Cookie: ${name}=${text}`])).body;
    expect(await greetingFor(value)).toBe('Hello ada@example.com');
    for (const [what, text] of otherSpellings(value)) {
      expect(await greetingFor(text), what).not.toBe('Hello ada@example.com');
    }
  });
});
