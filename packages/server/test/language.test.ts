import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { errorsOn, fillIn } from './area-forms.js';
import {
  authorizePath,
  confidentialRequest,
  consentFields,
  publicRequest,
  signedIn,
} from './authorization-flow.js';
import { type Browser, locationOf, redirectQuery } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type ReachableService } from './service-under-test.js';

const { community, plans, products } = sandboxScenario;

const GERMAN = { 'accept-language': 'de-AT,en;q=0.5' };

async function pageAt(browser: Browser, path: string, headers: Record<string, string> = {}) {
  const response = await browser.get(path, headers);
  const $ = parsePage(await response.text());
  return { response, $, language: $('html').attr('lang'), dir: $('html').attr('dir') };
}

/** Chooses a language on a page. */
async function choose(service: ReachableService, browser: Browser, language: string, path = '/sign-in') {
  const headers = {
    origin: service.baseUrl,
    'sec-fetch-site': 'same-origin',
    referer: service.baseUrl + path,
  };
  return await browser.post('/language', { language }, headers);
}

describe('the language of the pages', () => {
  it('is what the browser prefers, from the heading to the error of a form', async ({ service }) => {
    const browser = service.browser();
    const { $, language } = await pageAt(browser, '/sign-in', GERMAN);
    expect(language).toBe('de');
    expect(textOf($, 'h1')).toBe('Anmelden');
    expect($('script[src*="/assets/pages"]')).toHaveLength(0);
    const own = { origin: service.baseUrl, 'sec-fetch-site': 'same-origin' };
    const rejected = await browser.post('/sign-in/code', { email: 'ada' }, { ...own, ...GERMAN });
    expect(textOf(parsePage(await rejected.text()), '.field-error')).toMatch(
      /^Geben Sie eine E-Mail-Adresse/,
    );
    const foreign = await browser.post('/sign-in/code', {}, { 'sec-fetch-site': 'cross-site', ...GERMAN });
    expect(textOf(parsePage(await foreign.text()), 'h1')).toBe(
      'Dieses Formular kam von einer anderen Website',
    );
    expect(textOf((await pageAt(browser, '/nowhere', GERMAN)).$, 'h1')).toBe('Seite nicht gefunden');
  });

  it('is the one that the visitor chooses, remembered and back on the same page', async ({ service }) => {
    const browser = service.browser();
    const path = `/sign-in?${new URLSearchParams({ continue: '/account/payments?after=1' })}`;
    const { $ } = await pageAt(browser, path, GERMAN);
    expect(
      $('.language-menu button')
        .toArray()
        .map((button) => $(button).text()),
    ).toEqual([...['English', 'Deutsch', 'Français', 'Español', 'Português', '日本語', 'العربية']]);
    expect($('.language-menu [aria-current]').attr('value')).toBe('de');
    const chosen = await choose(service, browser, 'ar', path);
    expect([chosen.status, locationOf(chosen)]).toEqual([303, path]);
    expect(chosen.headers.get('set-cookie')).toMatch(
      /^latchkey_language_\d+=ar; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const arabic = await pageAt(browser, path, GERMAN);
    expect([arabic.language, arabic.dir, textOf(arabic.$, 'h1')]).toEqual(['ar', 'rtl', 'تسجيل الدخول']);
  });

  it('is chosen by the service’s own form only, which leads nowhere else', async ({ service }) => {
    const browser = service.browser();
    for (const language of ['tlh', 'de; Path=/x', '__proto__', '']) {
      await choose(service, browser, language);
      expect(browser.cookies.size, language).toBe(0);
    }
    const { origin } = new URL(service.baseUrl);
    for (const referer of [
      'https://evil.example/x',
      `${origin}.evil.example/x`,
      `${origin}//evil.example`,
      'x',
      '',
    ]) {
      const headers = { origin, 'sec-fetch-site': 'same-origin', referer };
      expect(locationOf(await browser.post('/language', { language: 'de' }, headers))).toBe('/account');
    }
    const other = service.browser();
    const forged = { language: 'de' };
    expect((await other.post('/language', forged, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await other.get('/language?language=de')).status).toBe(405);
    expect(other.cookies.size).toBe(0);
  });

  it('ignores a cookie with anything else, and never shows it', async ({ service }) => {
    for (const value of ['<script>', '__proto__', 'de-AT%22', 'x'.repeat(4_000)]) {
      const { port } = new URL(service.baseUrl);
      const response = await service.request('/sign-in', {
        headers: { cookie: `latchkey_language_${port}=${value}` },
      });
      const html = await response.text();
      expect(parsePage(html)('html').attr('lang')).toBe('en');
      expect(html).not.toContain(value);
    }
  });

  it('is the language of the mail that a page sends', async ({ service }) => {
    const browser = service.browser();
    const mailWith = async (fields: Record<string, string>) => {
      const own = { origin: service.baseUrl, 'sec-fetch-site': 'same-origin', ...GERMAN };
      expect((await browser.post('/sign-in/code', { email: 'ada@example.com', ...fields }, own)).status).toBe(
        303,
      );
      const {
        subject,
        code = '',
        html = '',
        text,
      } = service.server.mailbox?.latestFor('ada@example.com') ?? {};
      const $ = parsePage(html);
      return { subject: subject?.replace(code, '1'), html: $('html').attr(), title: textOf($, 'h1'), text };
    };
    const german = await mailWith({});
    expect(german).toMatchObject({ subject: '1 ist Ihr Code für Latchkey', title: 'Ihr Code für Latchkey' });
    expect(german.html).toEqual({ lang: 'de', dir: 'ltr' });
    expect(german.text).toContain('\nAngefordert: 12. Juni 2026, 14:05 UTC\n');
    const asked = authorizePath(publicRequest(service, { ui_locales: 'ja' }));
    const { subject, html } = await mailWith({ continue: asked });
    expect([subject, html?.lang]).toEqual(['1 は Ember & Oak のログインコードです', 'ja']);
    await choose(service, browser, 'ar');
    const arabic = await mailWith({ continue: asked });
    expect([arabic.title, arabic.html]).toEqual(['رمز دخولك إلى Ember & Oak', { lang: 'ar', dir: 'rtl' }]);
  });

  it('is that of the account area, from the navigation to the errors of a form', async ({ service }) => {
    const browser = await signedIn(service);
    await choose(service, browser, 'de');
    const { $, language } = await pageAt(browser, '/account/profile');
    expect([language, textOf($, 'h1'), textOf($, '.section-nav [aria-current]')]).toEqual([
      ...['de', 'Profil', 'Profil'],
    ]);
    const rejected = async (name: string) =>
      errorsOn(await fillIn(browser, { path: '/account/profile' }, { name }));
    expect(await rejected('x'.repeat(201))).toEqual({
      name: 'Geben Sie einen Namen mit höchstens 200 Zeichen ein.',
    });
    expect(await rejected('Latchkey')).toEqual({
      name: 'Geben Sie einen Namen ein, der „Latchkey“, den Namen dieses Dienstes, nicht enthält.',
    });
    await choose(service, browser, 'ar');
    const sessions = await pageAt(browser, '/account/sessions?done=others');
    expect([sessions.dir, textOf(sessions.$, '[role=status]')]).toEqual([
      ...['rtl', 'سُجّل خروجك من كل المتصفحات الأخرى.'],
    ]);
    const expired = await pageAt(service.browser(), '/email-change/undo?key=x', { 'accept-language': 'ja' });
    expect([expired.response.status, textOf(expired.$, 'h1')]).toEqual([404, 'この変更はもう取り消せません']);
  });

  it('is that of the seller area, with the labels and the errors of resources', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    await choose(service, browser, 'de');
    const { $, language } = await pageAt(browser, '/seller?done=product-saved');
    expect([language, textOf($, 'h1'), textOf($, '[role=status]')]).toEqual([
      ...['de', 'Communitys und Produkte', 'Produkt gespeichert.'],
    ]);
    const plans = `/seller/communities/${community.id}/plans`;
    const form = await pageAt(browser, `${plans}/new`);
    expect(['label[for=periodDays]', 'label[for=benefits]'].map((label) => textOf(form.$, label))).toEqual([
      ...['Tage Zugang pro Zahlung', 'Vorteile (optional)'],
    ]);
    expect(form.$('option[value=USD]').text()).toBe('USD, US-Dollar');
    const typed = {
      name: 'x',
      currency: 'EUR',
      provider: 'card',
      price: '1.000',
      periodDays: '0',
      description: 'x'.repeat(201),
    };
    const rejected = await fillIn(browser, { path: `${plans}/new`, action: plans }, typed);
    expect(await errorsOn(rejected)).toEqual({
      price:
        '„1.000“ kann 1000.00 oder 1.00 bedeuten. Geben Sie eines davon ein, ohne Tausendertrennzeichen.',
      periodDays: 'Geben Sie ganze Tage von 1 bis 36500 ein, oder nichts für unbefristeten Zugang.',
      description: 'Geben Sie für „Beschreibung“ höchstens 200 Zeichen ein; es sind 201.',
    });
    await choose(service, browser, 'ar');
    const csv = await browser.get(`/seller/communities/${community.id}/members.csv`);
    expect(await csv.text()).toMatch(/^\p{ASCII}+\r?\n/u);
    const members = await pageAt(browser, `/seller/communities/${community.id}/members?status=ended`);
    expect([members.dir, textOf(members.$, 'h1')]).toEqual(['rtl', 'الأعضاء']);
  });

  it('is that of the developer area, with the errors of an app', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    await choose(service, browser, 'de');
    const { $, language } = await pageAt(browser, '/developer/clients');
    expect([language, textOf($, 'h1'), textOf($, '.section-nav [aria-current]')]).toEqual([
      ...['de', 'Apps', 'Apps'],
    ]);
    const rejected = await fillIn(
      browser,
      { path: '/developer/clients/new', action: '/developer/clients' },
      { name: 'x'.repeat(201), type: 'public', redirectUris: 'http://tea.example' },
    );
    expect(await errorsOn(rejected)).toEqual({
      name: 'Geben Sie einen Namen mit höchstens 200 Zeichen ein.',
      redirectUris:
        '„http://tea.example“: Verwenden Sie https, oder http auf einer Loopback-Adresse wie localhost.',
      scopes: 'Wählen Sie mindestens einen Scope. Jede Anmeldung muss einen anfordern.',
    });
    const key = { path: '/developer/api-keys/new', action: '/developer/api-keys' };
    expect(await errorsOn(await fillIn(browser, key, { name: 'Door' }))).toEqual({
      permissions:
        'Wählen Sie mindestens eine Berechtigung. Ein Schlüssel ohne Berechtigungen kann keinen Endpunkt aufrufen.',
    });
    await choose(service, browser, 'ar');
    const webhooks = await pageAt(browser, '/developer/webhooks?done=deleted');
    expect([webhooks.dir, textOf(webhooks.$, '[role=status]')]).toEqual(['rtl', 'حُذف خطاف الويب.']);
    await choose(service, browser, 'ja');
    const webhook = { path: '/developer/webhooks/new', action: '/developer/webhooks' };
    expect(await errorsOn(await fillIn(browser, webhook, { url: 'shop.example' }))).toMatchObject({
      url: 'https://shop.example/webhooks のような完全な URL を入力してください。',
    });
  });

  it('leaves the names that people gave as they are, also those that are texts of ours', async ({
    service,
  }) => {
    const { operator } = service.server;
    await operator.change('communities', community.id, { name: 'Failed' });
    await operator.change('plans', plans.monthly.id, { name: 'Active' });
    await operator.change('products', products.brewGuide.id, { name: 'Paid' });
    const browser = await signedIn(service, 'dana@example.com');
    await choose(service, browser, 'de');
    const textsAt = async (path: string, selector: string) => {
      const { $ } = await pageAt(browser, path);
      return $(selector)
        .toArray()
        .map((element) => $(element).text().trim());
    };
    expect(await textsAt('/developer/webhooks/new', '#subject option')).toEqual(
      expect.arrayContaining(['Community: Failed', 'Produkt: Paid']),
    );
    const own = `/seller/communities/${community.id}`;
    expect(await textsAt('/seller', 'th bdi')).toEqual(expect.arrayContaining(['Failed', 'Paid']));
    expect(await textsAt(own, 'h1')).toEqual(['Failed']);
    expect(await textsAt(`${own}/plans`, 'th bdi')).toContain('Active');
    expect(await textsAt(`${own}/plans/${plans.monthly.id}`, 'h1')).toEqual(['Active']);
    expect(await textsAt(`/seller/products/${products.brewGuide.id}`, 'h1')).toEqual(['Paid']);
    expect(await textsAt(`/communities/${community.id}`, 'h1')).toEqual([expect.stringContaining('Failed')]);
    expect(await textsAt(`/communities/${community.id}`, 'main')).toEqual([
      expect.stringMatching(/^(?!.*(?:Fehlgeschlagen|Aktiv\b)).*Active/s),
    ]);
  });

  it('is English throughout where a page is in English only', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    for (const path of ['/reference', '/sandbox']) {
      const { $, language } = await pageAt(browser, path, GERMAN);
      expect(language, path).toBe('en');
      expect($('.language-menu'), path).toHaveLength(0);
      expect($('body').text(), path).not.toMatch(/Abmelden|Konto|Zum Inhalt/);
    }
  });
});

describe('the language that a site asks for', () => {
  it('goes through the whole sign-in, and the code comes back as without it', async ({ service }) => {
    const request = publicRequest(service, { ui_locales: 'nl ja-JP de' });
    const browser = service.browser();
    const authorized = await browser.get(authorizePath(request), GERMAN);
    const signIn = await pageAt(browser, locationOf(authorized), GERMAN);
    expect(signIn.language).toBe('ja');
    const continueTo = signIn.$('[name=continue]').first().attr('value') ?? '';
    const own = { origin: service.baseUrl, 'sec-fetch-site': 'same-origin', ...GERMAN };
    const wrong = await browser.post('/sign-in/code', { email: 'x', continue: continueTo }, own);
    expect(parsePage(await wrong.text())('html').attr('lang')).toBe('ja');

    const ada = await signedIn(service);
    const consent = await pageAt(ada, locationOf(await ada.get(authorizePath(request), GERMAN)), GERMAN);
    expect([consent.language, textOf(consent.$, '[value=allow]')]).toEqual(['ja', '許可']);
    expect(consent.$('[name=ui_locales]').attr('value')).toBe('ja');
    const fields = await consentFields(ada, request);
    const allowed = await ada.post('/oauth/consent', { ...fields, decision: 'allow' });
    expect(redirectQuery(allowed)).toMatchObject({ code: expect.any(String), ui_locales: 'ja' });
    const callback = await pageAt(ada, locationOf(allowed).slice(service.baseUrl.length), GERMAN);
    expect([callback.language, textOf(callback.$, '#callback-text')]).toEqual([
      'ja',
      'ログインを完了しています…',
    ]);
    expect(JSON.parse(callback.$('#callback').attr('data-texts') ?? '')).toMatchObject({
      'Try again': 'もう一度試す',
    });
  });

  it('is no part of the answer to a site', async ({ service }) => {
    const ada = await signedIn(service);
    const request = confidentialRequest({ ui_locales: 'ja' });
    const fields = await consentFields(ada, request);
    const allowed = await ada.post('/oauth/consent', { ...fields, decision: 'allow' });
    expect(Object.keys(redirectQuery(allowed))).toEqual(['code', 'state']);
  });

  it('gives way to the language that the visitor chose', async ({ service }) => {
    const browser = service.browser();
    await choose(service, browser, 'fr');
    const authorized = await browser.get(authorizePath(publicRequest(service, { ui_locales: 'ja' })));
    expect((await pageAt(browser, locationOf(authorized))).language).toBe('fr');
  });

  it('changes nothing if the service does not have it, and is never shown', async ({ service }) => {
    for (const ui_locales of ['tlh', '"><script>', '']) {
      const request = publicRequest(service, { ui_locales });
      const ada = await signedIn(service);
      const path = locationOf(await ada.get(authorizePath(request)));
      expect(path).not.toContain('ui_locales');
      const { $, language } = await pageAt(ada, path);
      expect([language, $('[name=ui_locales]').length]).toEqual(['en', 0]);
    }
    const repeated = `${authorizePath(publicRequest(service))}&ui_locales=de&ui_locales=fr`;
    expect(locationOf(await service.browser().get(repeated))).toContain(encodeURIComponent('ui_locales=de'));
  });
});
