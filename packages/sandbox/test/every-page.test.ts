import { describe, expect, it } from 'vitest';
import { HOME_SCRIPT_PATH } from '../src/console/home-script.js';
import { SANDBOX_SITE } from '../src/console/sandbox-site.js';
import { parsePage, textOf } from './page-document.js';
import { everyPageWith } from './page-fixtures.js';
import { it as itWithSandbox } from './sandbox-under-test.js';

const MARKUP = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'';
const PLAIN_PAGES = Object.entries(everyPageWith('Plain'));
const HOSTILE_PAGES = Object.entries(everyPageWith(MARKUP));

describe.each(PLAIN_PAGES)('the %s page', (name, page) => {
  const html = page(SANDBOX_SITE);
  const $ = parsePage(html);

  it('is a complete document in English with one h1 and one main landmark', () => {
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect($('h1')).toHaveLength(1);
    expect($('main')).toHaveLength(1);
    expect(textOf($, 'h1')).not.toBe('');
  });

  it('has no inline style and no event handler, and only the home page has a script', () => {
    expect($('[style], style, script:not([src])').length).toBe(0);
    const scripts = $('script')
      .toArray()
      .map((script) => $(script).attr('src'));
    expect(scripts).toEqual(name === 'home' ? [HOME_SCRIPT_PATH] : []);
    const handlers = $('*')
      .toArray()
      .flatMap((element) => Object.keys($(element).attr() ?? {}))
      .filter((name) => name.startsWith('on'));
    expect(handlers).toEqual([]);
  });

  it('posts its forms to root-relative addresses', () => {
    for (const form of $('form').toArray()) {
      expect($(form).attr('method')).toBe('post');
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
    expect($('img, script:not([src])')).toHaveLength(0);
    expect($('body').text()).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('the pages together', () => {
  it('have unique titles', () => {
    const titles = PLAIN_PAGES.map(([, page]) => textOf(parsePage(page), 'title'));
    expect(new Set(titles).size).toBe(titles.length);
  });

  itWithSandbox('use only classes of the server’s stylesheet', async ({ service }) => {
    const pages = PLAIN_PAGES.map(([, page]) => parsePage(page));
    const href = pages[0]?.call(undefined, 'link[rel="stylesheet"]').attr('href') ?? '';
    const stylesheet = await (await service.request(href)).text();
    const used = pages.flatMap(($) =>
      $('[class]')
        .toArray()
        .flatMap((element) => ($(element).attr('class') ?? '').split(' ')),
    );
    const missing = [...new Set(used)].filter((name) => !stylesheet.includes(`.${name}`));
    expect(missing).toEqual([]);
  });
});
