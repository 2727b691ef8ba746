import { describe, expect, it } from 'vitest';
import { PAGE_STYLESHEET } from '../../src/web/kit/frame/page-assets.js';
import { PAGE_SCRIPT } from '../../src/web/kit/frame/page-script.js';
import { PLAIN_SITE } from '../../src/web/kit/frame/send-page.js';
import { parsePage, textOf } from './page-document.js';
import { everyPageWith } from './page-fixtures.js';

const MARKUP = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'';
const STYLES = PAGE_STYLESHEET.content.toString();
const PLAIN_PAGES = Object.entries(everyPageWith('Plain'));
const HOSTILE_PAGES = Object.entries(everyPageWith(MARKUP));

describe.each(PLAIN_PAGES)('%s page', (_name, page) => {
  const html = page({ ...PLAIN_SITE, banner: { label: 'Notice', badge: 'Test', text: 'Test data.' } });
  const $ = parsePage(html);

  it('is a complete document in English with one first-level heading and one main landmark', () => {
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect($('h1')).toHaveLength(1);
    expect($('main')).toHaveLength(1);
    expect(textOf($, 'h1')).not.toBe('');
  });

  it('satisfies a content security policy without inline styles, inline scripts or other hosts', () => {
    expect($('[style], style').length).toBe(0);
    expect($('script:not([src])').length).toBe(0);
    const handlers = $('*')
      .toArray()
      .flatMap((element) => Object.keys($(element).attr() ?? {}))
      .filter((name) => name.startsWith('on'));
    expect(handlers).toEqual([]);
    expect($('link[rel="stylesheet"]').last().attr('href')).toBe(PAGE_STYLESHEET.path);
  });

  it('posts its forms to the service only, and uses GET only for searches', () => {
    for (const form of $('form').toArray()) {
      expect($(form).attr('method')).toBe($(form).is('.search-form') ? 'get' : 'post');
      expect($(form).attr('action')).toMatch(/^\/[a-z]/);
    }
  });

  it('labels every field and every control', () => {
    for (const field of $('input:not([type="hidden"]), textarea, select').toArray()) {
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

describe.each(HOSTILE_PAGES)('%s page with markup in every text', (name, html) => {
  const $ = parsePage(html, {
    ...PLAIN_SITE,
    brand: { name: MARKUP, logoUrl: MARKUP, accent: null },
  });

  it('shows the markup as text', () => {
    expect($('img')).toHaveLength(0);
    expect(
      $(`script:not([src="/widget/callback.js"], [src="/assets/viewer.js"], [src="${PAGE_SCRIPT.path}"])`),
    ).toHaveLength(0);
    // One page shows no user's text, the other has the key in an attribute.
    if (name !== 'signedOut' && name !== 'reference')
      expect($('body').text()).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('all pages', () => {
  it('have unique titles', () => {
    const titles = PLAIN_PAGES.map(([, html]) => textOf(parsePage(html), 'title'));
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('remove direction-changing characters from titles, and isolate them in texts', () => {
    const $ = parsePage(everyPageWith('Shop\u202e').consent ?? '');
    expect($('title').text()).toBe('Allow Shop? · Latchkey');
    expect($('h1 bdi').text()).toBe('Shop\u202e');
  });

  it('load scripts of their own only on the callback page and in the API viewer', () => {
    const others = `script:not([src="${PAGE_SCRIPT.path}"])`;
    const withScript = PLAIN_PAGES.filter(([, page]) => parsePage(page)(others).length > 0);
    expect(withScript.map(([name]) => name)).toEqual(['widgetCallback', 'reference']);
  });

  it('load the page script only if they say so, and on a card only if its form decides something', () => {
    for (const [name, page] of PLAIN_PAGES) {
      const $ = parsePage(page);
      const isLoaded = $(`script[src="${PAGE_SCRIPT.path}"][defer]`).length === 1;
      expect(isLoaded, name).toBe(page.loadsPageScript);
      const decides = $('form[method="post"]:not([data-at-once])').length > 0;
      // Without the script, a press that was meant for another window would count.
      if (decides) expect(isLoaded, name).toBe(true);
      if ($('body.layout-card').length === 1 && name !== 'widgetCallback')
        expect($('script').length, name).toBe(decides ? 1 : 0);
    }
  });

  it('take presses that may be meant for another window only to sign in and out', () => {
    const atOnce = PLAIN_PAGES.flatMap(([, page]) => {
      const $ = parsePage(page);
      return $('form[data-at-once]')
        .toArray()
        .map((form) => $(form).attr('action') ?? '');
    });
    const ways = ['/sign-out', '/sign-in/code', '/sign-in/verify', '/sign-in/second-step', '/pick'];
    expect([...new Set(atOnce)].filter((action) => !ways.includes(action))).toEqual([]);
    expect(atOnce.length).toBeGreaterThan(20);
  });

  it('preload the font that their stylesheet names', () => {
    for (const [name, page] of PLAIN_PAGES) {
      const font = parsePage(page)('link[rel="preload"][as="font"][crossorigin]').attr('href');
      expect(STYLES, name).toContain(`url("${font}")`);
    }
  });
});

describe('stylesheet', () => {
  it('is named after its content, so that it can be cached permanently', () => {
    expect(PAGE_STYLESHEET.path).toMatch(/^\/assets\/pages\.[0-9a-f]{8}\.css$/);
  });

  it('loads no other resource than its fonts', () => {
    const loaded = STYLES.match(/url\([^)]*\)|@import[^;]*/g) ?? [];
    expect(loaded).toHaveLength(2);
    for (const font of loaded) expect(font).toMatch(/^url\("\/assets\/geist-[a-z-]+\.[0-9a-f]{8}\.woff2"\)$/);
  });

  it('styles every class of the pages', () => {
    const used = PLAIN_PAGES.flatMap(([, html]) => {
      const $ = parsePage(html);
      return $('[class]')
        .toArray()
        .flatMap((element) => ($(element).attr('class') ?? '').split(' '));
    });
    const missing = [...new Set(used)].filter((name) => !STYLES.includes(`.${name}`));
    expect(missing).toEqual([]);
  });
});
