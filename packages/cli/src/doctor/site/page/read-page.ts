import { type CheerioAPI, load } from 'cheerio';
import { type ContentPolicy, parsePolicies } from './content-policy.js';

/** Script element of a page. */
export interface PageScript {
  /** Absolute address; undefined for an inline script, and for an invalid address. */
  readonly url: URL | undefined;
  /** Attribute `src` as the page writes it. */
  readonly src: string | undefined;
  readonly text: string;
  readonly nonce: string | undefined;
  readonly integrity: string | undefined;
}

/** Element of the widget. Its attributes have lower-case names. */
export interface WidgetElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text that the page shows to members: the default slot. */
  readonly content: string;
}

/** Contents of a page, as a browser reads them. */
export interface SitePage {
  readonly url: URL;
  readonly headers: Headers;
  readonly html: string;
  readonly scripts: readonly PageScript[];
  readonly elements: readonly WidgetElement[];
  readonly policies: readonly ContentPolicy[];
  /** Inline style sheets with their nonce. */
  readonly styles: readonly { readonly text: string; readonly nonce: string | undefined }[];
  /** Addresses of links and forms, as the page writes them. */
  readonly links: readonly string[];
}

const ELEMENTS = 'latchkey-login, latchkey-gate, latchkey-plans, latchkey-join';
/** Types of executable scripts. Others are data. */
const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i;

/** Parses a page as a browser does. */
export function readPage(url: URL, headers: Headers, html: string): SitePage {
  const $ = load(html);
  const base = resolve($('base[href]').first().attr('href') ?? '', url) ?? url;
  return {
    url,
    headers,
    html,
    scripts: scriptsOf($, base),
    elements: $(ELEMENTS)
      .toArray()
      .map((element) => ({
        name: element.tagName.toLowerCase(),
        attributes: { ...element.attribs },
        content: memberContent($, element),
      })),
    policies: [
      ...parsePolicies(headers.get('content-security-policy') ?? ''),
      ...$('meta[http-equiv][content]')
        .toArray()
        .filter((meta) => /^content-security-policy$/i.test(meta.attribs['http-equiv'] ?? ''))
        .flatMap((meta) => parsePolicies(meta.attribs.content ?? '')),
    ],
    styles: $('style')
      .toArray()
      .map((style) => ({ text: $(style).text(), nonce: style.attribs.nonce })),
    links: [
      ...$('a[href]')
        .toArray()
        .map((link) => link.attribs.href ?? ''),
      ...$('form[action]')
        .toArray()
        .map((form) => form.attribs.action ?? ''),
    ],
  };
}

/** Returns an absolute URL, or undefined if the address is invalid. */
export function resolve(address: string, base: URL): URL | undefined {
  return URL.canParse(address, base.href) ? new URL(address, base) : undefined;
}

function scriptsOf($: CheerioAPI, base: URL): PageScript[] {
  return $('script')
    .toArray()
    .filter((script) => SCRIPT_TYPE.test((script.attribs.type ?? '').trim()))
    .map((script) => {
      const { src, nonce, integrity } = script.attribs;
      const url = src === undefined ? undefined : resolve(src, base);
      return { url, src, text: src === undefined ? $(script).text() : '', nonce, integrity };
    });
}

/** Text of the children without the attribute `slot`. */
function memberContent($: CheerioAPI, element: Parameters<CheerioAPI>[0]): string {
  const copy = $(element).clone();
  copy.children('[slot], template, script, style').remove();
  const media = copy.find('img, video, audio, iframe, object, embed').length > 0;
  return copy.text().trim() || (media ? 'media' : '');
}
