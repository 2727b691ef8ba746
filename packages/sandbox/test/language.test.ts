import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { locationOf } from './browser.js';
import { formOf, parsePage, textOf } from './page-document.js';
import { it } from './sandbox-under-test.js';

const ARABIC = { 'accept-language': 'ar', accept: 'text/html' };
const { confidentialClient } = sandboxScenario;

/** Returns the words of a page in Latin letters that nothing marks as another language, a name, a value or code. */
function unmarkedWords(html: string): string[] {
  const $ = parsePage(html);
  $('script, style, noscript, time, bdi, code, [translate=no], [lang=en], .language-menu, .picture').remove();
  return (
    $('body')
      .text()
      .match(/[a-z]{3,}/gi) ?? []
  );
}

describe('a page of the service in a sandbox', () => {
  it('has no English words that are not marked as English', async ({ service }) => {
    const browser = service.browser();
    await browser.post('/sandbox/sign-in', { email: sandboxScenario.users.ben.email, continue: '/account' });
    const community = `/communities/${sandboxScenario.community.id}`;
    const { hidden, buttons } = formOf(
      parsePage(await (await browser.get(community)).text()),
      `${community}/buy`,
    );
    const bought = await browser.post(`${community}/buy`, Object.fromEntries([...hidden, ...buttons]));
    const checkoutPath = locationOf(bought).replace(service.baseUrl, '');
    for (const path of ['/account', '/account/payments', checkoutPath]) {
      const html = await (await browser.get(path, ARABIC)).text();
      expect(parsePage(html)('html').attr('lang'), path).toBe('ar');
      expect(unmarkedWords(html), path).toEqual([]);
    }
    expect(unmarkedWords(await (await service.request('/sign-in', { headers: ARABIC })).text())).toEqual([]);
  });

  it('says in the language of the visitor that it is a test, and who the test people are', async ({
    service,
  }) => {
    const $ = parsePage(
      await (await service.request('/sign-in', { headers: { 'accept-language': 'de' } })).text(),
    );
    expect(textOf($, '.ribbon > span:not(.ribbon-time)')).toBe(
      'Testpersonen, Testdaten. Nichts hier ist echt.',
    );
    expect(textOf($, '#pick-user')).toBe('oder wählen Sie eine Testperson');
    expect($('.person-note [lang=en]')).toHaveLength(0);
    const notes = $('.person-note')
      .toArray()
      .map((note) => $(note).text());
    expect(notes).toEqual(
      expect.arrayContaining(['Unbefristet Mitglied: Ember & Oak Coffee Club', 'Keine Mitgliedschaft']),
    );
    expect($('.person-note bdi').first().text()).toBe('Ember & Oak Coffee Club');
  });

  it('is in English throughout where the sandbox explains a rejected request to its developer', async ({
    service,
  }) => {
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: confidentialClient.clientId, scope: 'memberships.read' },
      ...{ redirect_uri: 'https://elsewhere.example/', state: 's', ui_locales: 'ar' },
    });
    const response = await service.request(`/oauth/authorize?${query}`, { headers: ARABIC });
    const $ = parsePage(await response.text());
    expect([response.status, $('html').attr('lang')]).toEqual([400, 'en']);
    expect($('body').text()).not.toMatch(/\p{Script=Arabic}/u);
  });
});
