import { describe, expect, it } from 'vitest';
import { rulesPage } from '../src/console/console-routes.js';
import { MAIL_FRAME_SCRIPT } from '../src/mailbox/mail-page.js';
import { LIVE_SCRIPT } from '../src/navigation/live-script.js';
import { sandboxSite } from '../src/navigation/sandbox-nav.js';
import { parsePage, SERVICE_BRAND, textOf } from './page-document.js';
import { AFTERNOON, CONSOLE_SCRIPT, everyPageWith } from './page-fixtures.js';
import { it as itWithSandbox } from './sandbox-under-test.js';

const MARKUP = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'';
const PLAIN_PAGES = Object.entries({ ...everyPageWith('Plain'), rules: rulesPage() });
/** Address of the script that copies values and shows local times. */
const PAGE_SCRIPT = /^\/assets\/pages\.[0-9a-f]{8}\.js$/;
const LIVE = new Set(['home', 'mailbox', 'mail', 'messenger']);
const HOSTILE_PAGES = Object.entries(everyPageWith(MARKUP));

describe.each(PLAIN_PAGES)('the %s page', (name, page) => {
  const html = page({ ...sandboxSite({ now: () => AFTERNOON }), brand: SERVICE_BRAND });
  const $ = parsePage(html);

  it('is a complete document in English with one h1 and one main landmark', () => {
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect($('h1')).toHaveLength(1);
    expect($('main')).toHaveLength(1);
    expect(textOf($, 'h1')).not.toBe('');
  });

  it('has no inline style, script or event handler, and only live pages, mails and the console have scripts', () => {
    expect($('[style], style, script:not([src], [type="application/json"])').length).toBe(0);
    const scripts = $('script[src]')
      .toArray()
      .map((script) => $(script).attr('src'));
    const ofLivePages = LIVE.has(name) ? [LIVE_SCRIPT.path] : [];
    const ofMail = name === 'mail' ? [MAIL_FRAME_SCRIPT.path] : [];
    const others = scripts.filter((src) => !PAGE_SCRIPT.test(src ?? ''));
    expect(others).toEqual(name === 'console' ? [CONSOLE_SCRIPT] : [...ofLivePages, ...ofMail]);
    expect(scripts.length - others.length).toBe(page.loadsPageScript ? 1 : 0);
    const handlers = $('*')
      .toArray()
      .flatMap((element) => Object.keys($(element).attr() ?? {}))
      .filter((name) => name.startsWith('on'));
    expect(handlers).toEqual([]);
  });

  it('sends its forms to root-relative addresses, and posts all but searches', () => {
    for (const form of $('form').toArray()) {
      expect($(form).attr('method')).toBe($(form).closest('search').length === 1 ? 'get' : 'post');
      expect($(form).attr('action')).toMatch(/^\/[a-z]/);
    }
  });

  it('labels every field and every control', () => {
    for (const field of $('input:not([type="hidden"])').toArray()) {
      expect(textOf($, `label[for="${$(field).attr('id')}"]`)).not.toBe('');
    }
    for (const control of $('button, a').toArray()) expect($(control).text().trim()).not.toBe('');
  });

  it('has unique ids', () => {
    const ids = $('[id]')
      .toArray()
      .map((element) => $(element).attr('id'));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe.each(HOSTILE_PAGES)('the %s page with markup in its data', (_name, page) => {
  it('shows the markup as text', () => {
    const $ = parsePage(page);
    expect($('img, script:not([src], [type="application/json"])')).toHaveLength(0);
    expect($('body').text()).toContain('<img src=x onerror=alert(1)>');
  });
});

it('shows the service’s time on each page', () => {
  for (const [name, page] of PLAIN_PAGES) {
    const $ = parsePage(page, sandboxSite({ now: () => AFTERNOON }));
    expect([name, textOf($, '#service-time')]).toEqual([name, '12 Jun 2026, 14:05 UTC']);
  }
});

it('keeps settings that contain markup readable for the console', () => {
  const $ = parsePage(everyPageWith(MARKUP).console ?? '');
  expect(JSON.parse($('#console-settings').text())).toMatchObject({ baseUrl: MARKUP });
});

describe('the pages together', () => {
  it('have unique titles', () => {
    const titles = PLAIN_PAGES.map(([, page]) => textOf(parsePage(page), 'title'));
    expect(new Set(titles).size).toBe(titles.length);
  });

  itWithSandbox(
    'use only classes of the two stylesheets, of the server and of the sandbox',
    async ({ service }) => {
      const pages = PLAIN_PAGES.map(([, page]) => parsePage(page));
      const [home] = pages;
      const hrefs = home
        ?.call(undefined, 'link[rel="stylesheet"]')
        .map((_index, link) => home(link).attr('href'));
      expect(hrefs).toHaveLength(2);
      const sheets = [...(hrefs ?? [])].map(async (href) => (await service.request(href)).text());
      const stylesheet = (await Promise.all(sheets)).join('\n');
      const used = pages.flatMap(($) =>
        $('[class]')
          .toArray()
          .flatMap((element) => ($(element).attr('class') ?? '').split(' ')),
      );
      const missing = [...new Set(used)].filter((name) => !stylesheet.includes(`.${name}`));
      expect(missing).toEqual([]);
    },
  );
});
