import { fc, test } from '@fast-check/vitest';
import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../../scripts/fuzz-runs.mjs';
import { contrastOf } from '../colours/oklch.js';
import { speak } from '../language/language.js';
import { DARK_CARD, mailAccent } from './mail-styles.js';
import type { MailContent } from './render-mail.js';
import { renderMail } from './render-mail.js';

const MARKUP = '<img src=x onerror=alert(1)>&amp;"\'</style><script>1</script>';

const content: MailContent = {
  brand: { name: 'Ember & Oak', logoUrl: null, accent: null },
  subject: 'Subject',
  preview: 'Preview',
  title: ['Receipt from ', { name: 'Ember & Oak' }],
  blocks: [
    { amount: '€9.00' },
    { code: '660107' },
    ['Hello ', { name: 'Ada' }, '.'],
    { facts: { Plan: [{ name: 'Monthly' }], Code: false } },
    false,
    { button: 'Open', href: 'https://members.example/account' },
    { note: 'Not you?', link: { label: 'Stop', href: 'https://members.example/stop?key=a&b' } },
  ],
  footer: 'Sent by Latchkey.',
};

const words = (text: string) => text.split(/\s+/u).filter((word) => word !== '' && word !== '--');

describe('mail', () => {
  it('says the same in its text and in its HTML', () => {
    const { text, html = '' } = renderMail(content);
    const $ = load(html);
    $('head, .mail-preview, [aria-hidden]').remove();
    $('a').each((_, link) => void $(link).append(`: ${$(link).attr('href')}`));
    $('dt').append(': ');
    $('p, h1, dd').append(' ');
    expect(words($('body').text())).toEqual(words(text));
  });

  it('has its gaps on the other side in a right-to-left language', () => {
    const { html = '' } = speak('ar', () => renderMail(content));
    const $ = load(html);
    expect($('html').attr('dir')).toBe('rtl');
    expect($('dt').attr('style')).toContain('padding: 0 0 0 8px;');
    expect($('.mail-monogram').attr('style')).toContain('margin: 0 0 0 12px;');
    expect($('.mail-code').attr('dir')).toBe('ltr');
  });

  it('shows texts of other people as text, isolated from the direction of the rest', () => {
    const { html = '' } = renderMail({
      ...content,
      brand: { name: MARKUP, logoUrl: null, accent: MARKUP },
      subject: MARKUP,
      preview: MARKUP,
      title: ['From ', { name: MARKUP }],
      blocks: [{ facts: { [MARKUP]: [{ name: MARKUP }] } }],
      footer: MARKUP,
    });
    const $ = load(html);
    expect($('img, script, [onerror]')).toHaveLength(0);
    expect($('style')).toHaveLength(1);
    expect($('style').text()).not.toContain('alert');
    expect($('h1 bdi').text()).toBe(MARKUP);
    expect($('title').text()).toBe(MARKUP);
  });

  it('loads nothing: no scripts, fonts, style sheets or counters', () => {
    const { html = '' } = renderMail(content);
    const $ = load(html);
    expect($('script, link, img, iframe, object, video, audio, form, svg, table')).toHaveLength(0);
    expect(html).not.toMatch(/url\(|@import|@font-face/);
  });

  it('contains an uploaded logo, and leaves out every other: nothing is remote', () => {
    const png = 'data:image/png;base64,iVBORw0KGgo=';
    const of = (logoUrl: string) => {
      const { html = '', images } = renderMail({ ...content, brand: { ...content.brand, logoUrl } });
      return [load(html)('img').attr('src'), images];
    };
    expect(of(png)).toEqual([
      'cid:logo',
      [{ contentId: 'logo', contentType: 'image/png', base64: 'iVBORw0KGgo=' }],
    ]);
    for (const other of [
      'https://shop.example/logo.png',
      'http://shop.example/logo.png',
      'data:image/svg+xml;base64,PHN2Zy8+',
      'data:text/html;base64,PGI+',
      'data:image/png;base64,i"V',
      'javascript:alert(1)',
      'cid:other',
      'file:///etc/passwd',
    ]) {
      expect(of(other)).toEqual([undefined, undefined]);
    }
  });
});

describe('accent of a brand', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

  test.prop([hex], fuzzRuns(100))(
    'is readable on its card, and under its label, in both schemes',
    (accent) => {
      const { light, dark } = mailAccent(accent);
      expect(contrastOf(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(dark, DARK_CARD)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('stays as it is if it is readable', () => {
    expect(mailAccent('#0b6f60').light).toBe('#0b6f60');
    expect(mailAccent('#63d2ba').dark).toBe('#63d2ba');
  });
});
