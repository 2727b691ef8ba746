import { readdir, readFile } from 'node:fs/promises';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ar } from '../src/http/messages/ar.js';
import { de, type Messages } from '../src/http/messages/de.js';
import { es } from '../src/http/messages/es.js';
import { fr } from '../src/http/messages/fr.js';
import { ja } from '../src/http/messages/ja.js';
import { pt } from '../src/http/messages/pt.js';
import { type LatchkeyOptions, memoryDirectory } from '../src/index.js';
import type { BrowserRequest, Page } from './browser.js';
import { MONTHLY, openMarket } from './checkout/market.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { callbackUrl, type Shop, startShop } from './shop.js';

let shop: Shop;
let ben: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ben = fakeUser('ben@example.com');
});
afterEach(() => shop.close());

const languageOf = ({ text }: Page) => /<html lang="(\w+)"( dir="rtl")?>/.exec(text)?.slice(1, 3).join('');
const titleOf = ({ text }: Page) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];

/** Opens the page for members as a visitor without a membership, in a shop with these options. */
async function forbidden(options: Partial<LatchkeyOptions>, acceptLanguage = ''): Promise<Page> {
  const own = await startShop({ beside: shop, options });
  await own.signIn(ben);
  const headers = { 'accept-language': acceptLanguage };
  const page = await own.browser.open(`${own.url}/members`, { headers });
  await own.close();
  return page;
}

describe('a built-in page', () => {
  it.each([
    ['de-AT,en;q=0.5', 'de', 'Diese Seite ist für Mitglieder'],
    ['nl, pt-BR', 'pt', 'Esta página é para membros'],
    ['AR', 'ar dir="rtl"', 'هذه الصفحة للأعضاء'],
    ['nl', 'en', 'This page is for members'],
    ['', 'en', 'This page is for members'],
    ['__proto__, <b>', 'en', 'This page is for members'],
  ])('has the language that the browser prefers: %s', async (header, language, title) => {
    const page = await forbidden({}, header);
    expect([languageOf(page), titleOf(page)]).toEqual([language, title]);
  });

  it('has the language of the app first, and scripts get English', async () => {
    expect(languageOf(await forbidden({ language: 'fr-CH' }, 'de'))).toBe('fr');
    const byPath = (request: { path: string }) => (request.path === '/members' ? 'ja' : undefined);
    expect(languageOf(await forbidden({ language: byPath }, 'de'))).toBe('ja');
    expect(languageOf(await forbidden({ language: () => undefined }, 'de'))).toBe('de');
    expect(languageOf(await forbidden({ language: 'nl' }, 'de'))).toBe('de');
    await shop.signIn(ben);
    const script = { headers: { accept: 'application/json', 'accept-language': 'de' } };
    expect((await shop.browser.request(`${shop.url}/members`, script)).json.message).toBe(
      'ben@example.com has no active membership here.',
    );
  });

  it('leaves a custom page in the language of the app, which is English unless the option says otherwise', async () => {
    const pages: LatchkeyOptions['pages'] = {
      forbidden: (_request, response, { message }) => void response.send(message),
    };
    expect((await forbidden({ pages }, 'de')).text).toBe('ben@example.com has no active membership here.');
    expect((await forbidden({ pages, language: 'de' }, 'fr')).text).toBe(
      'ben@example.com hat hier keine aktive Mitgliedschaft.',
    );
  });

  it('rejects an option that is no language, and ignores such a result of a function', async () => {
    for (const language of ['', 'de_DE', '"><script>', 7 as unknown as string])
      await expect(startShop({ options: { language } })).rejects.toThrow(/language: must be a language tag/);
    for (const sent of ['"><script>', ['de'], null, 'x'.repeat(9_000)])
      expect(languageOf(await forbidden({ language: () => sent as string }, 'ja'))).toBe('ja');
  });

  it('has no English words in Arabic, in every state', async () => {
    const own = await startShop({
      beside: shop,
      options: { directory: memoryDirectory(), upgradeUrl: '/join' },
      routes: (app, auth) => {
        app.use(auth.router);
        app.all('/account', auth.requireSignIn(), (_request, response) => response.send('Account'));
        app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) =>
          response.send('In'),
        );
        const gate = auth.awaitMembership(SHOP_MEMBERS, { holdSeconds: 0 });
        app.get('/welcome', gate, (_request, response) => response.send('Welcome'));
        app.post('/sales', auth.requireScope('products.read'), (_request, response) =>
          response.send('Sales'),
        );
      },
    });
    const pages: Page[] = [];
    const open = async (path: string, request: BrowserRequest = {}) => {
      const headers = { 'accept-language': 'ar' };
      pages.push(await own.browser.open(own.url + path, { headers, follow: false, ...request }));
    };
    const form = { method: 'POST', body: 'a=b' };
    await open('/account', form);
    await open('/auth/logout');
    await open('/auth/callback');
    await open('/auth/callback?state=x');
    shop.service.visitor = undefined;
    const declined = await callbackUrl(own.browser, `${own.url}/auth/login`);
    await open(declined.pathname + declined.search);
    await own.signIn(ben);
    await open('/members');
    await open('/sales', form);
    await open('/auth/callback?state=x');
    await open('/welcome');
    ben.memberships.push(fakeMembership());
    own.clock.advance(61_000);
    await open('/members');
    await open('/welcome');
    shop.service.on('/oauth/memberships', 'server-error');
    own.clock.advance(6 * 60_000);
    await open('/members');
    await own.close();
    expect(pages.map(({ status }) => status)).toEqual([
      ...[401, 405, 400, 400, 403, 403, 403, 400, 202, 403, 202, 503],
    ]);
    for (const page of pages) expectArabic(page);
  });

  it('marks the names of plans as words of the app', async () => {
    const market = await openMarket({});
    const page = await market.browser.open(`${market.url}/auth/checkout/cancelled?plan=${MONTHLY.id}`, {
      headers: { 'accept-language': 'ar' },
    });
    expect(titleOf(page)).toBe('أُلغي الدفع');
    expect(page.text).toContain('<p><bdi lang="">Monthly: <bdi>€9</bdi> per month</bdi></p>');
    expectArabic(page);
  });
});

function expectArabic(page: Page): void {
  expect(languageOf(page)).toBe('ar dir="rtl"');
  const words = page.text
    .replace(/<style>.*?<\/style>|<code.*?<\/code>|<bdi.*?<\/bdi>(?:[^<]*<\/bdi>)?/gs, '')
    .replace(/<[^>]*>/g, ' ');
  expect(words.match(/[a-z]{2,}/gi) ?? []).toEqual([]);
}

describe('the page of a failed sign-in', () => {
  it.each([
    ['de', 'de'],
    ['ar', 'ar dir="rtl"'],
  ])('has the language of the app for each reason: %s', async (language, expected) => {
    const own = await startShop({ beside: shop, options: { language } });
    const misled = await startShop({
      beside: shop,
      options: { language, clientSecret: `ocs_${'6'.repeat(48)}` },
    });
    const pages: Page[] = [];
    const open = async (address: string | URL) =>
      void pages.push(await own.browser.open(`${address}`, { follow: false }));
    const returning = ({ browser, url }: Shop) => callbackUrl(browser, `${url}/auth/login`);
    await open(`${own.url}/auth/callback`);
    await open(`${own.url}/auth/callback?state=x`);
    shop.service.visitor = undefined;
    await open(await returning(own));
    shop.service.visitor = ben;
    const late = await returning(own);
    own.clock.advance(10 * 60_000);
    await open(late);
    pages.push(await misled.browser.open(`${await returning(misled)}`, { follow: false }));
    const used = await returning(own);
    await own.browser.open(used.href, { follow: false });
    own.clock.advance(61_000);
    await open(used);
    await own.browser.open(`${own.url}/auth/logout`, { method: 'POST', follow: false });
    shop.service.on('/oauth/token', 'server-error');
    await open(await returning(own));
    await Promise.all([own.close(), misled.close()]);
    expect(pages.map(({ status }) => status)).toEqual([400, 400, 403, 400, 502, 400, 503]);
    expect(pages.map(languageOf)).toEqual(pages.map(() => expected));
    for (const { text } of pages)
      expect(text.replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ')).not.toMatch(
        /\b(the|you|your|please|this)\b/i,
      );
  });
});

describe('the messages', () => {
  it('are texts of the code', async () => {
    const folder = new URL('../src/', import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((path) =>
      /(?<!messages\/..)\.ts$/.test(path),
    );
    const code = await Promise.all(files.map((path) => readFile(new URL(path, folder), 'utf8')));
    expect(Object.keys(de).filter((text) => !code.join('').includes(text))).toEqual([]);
  });

  it.each(Object.entries({ de, fr, es, pt, ja, ar } satisfies Record<string, Messages>))(
    'in %s have the values of the English texts, and no English one',
    (_language, messages) => {
      const valuesIn = (text: string) => text.match(/\{\w+\}/g) ?? [];
      for (const [text, translation] of Object.entries(messages)) {
        expect(valuesIn(translation), text).toEqual(valuesIn(text));
        expect(translation.trim(), text).not.toBe('');
        expect(translation).not.toBe(text);
      }
    },
  );
});

describe('a sign-in', () => {
  const askedFor = async (language?: LatchkeyOptions['language']) => {
    const own = await startShop({ beside: shop, options: { language } });
    const page = await own.browser.open(`${own.url}/auth/login?returnTo=/members`, { follow: false });
    await own.close();
    return new URL(page.headers.get('location') ?? '').searchParams.get('ui_locales');
  };

  it('asks the service for the language of the app, which the service may not have', async () => {
    expect(await askedFor('pt-BR')).toBe('pt-BR');
    expect(await askedFor(() => 'nl')).toBe('nl');
    expect(await askedFor(() => undefined)).toBeNull();
    expect(await askedFor()).toBeNull();
  });

  it('succeeds with it', async () => {
    const own = await startShop({ beside: shop, options: { language: 'de' } });
    expect((await own.signIn({ ...ben, memberships: [fakeMembership()] }, { path: '/members' })).status).toBe(
      200,
    );
    await own.close();
  });
});
