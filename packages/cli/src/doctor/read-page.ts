import { type CheerioAPI, load } from 'cheerio';
import { type ContentPolicy, parsePolicies } from './content-policy.js';

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
  /** True if the page itself contains what members see: the default slot. */
  readonly hasContent: boolean;
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
const WIDGET_ELEMENTS_MAX = 200;
/** Elements of a page that is parsed. The time that a parser needs grows with their square, if each contains the next. */
const ELEMENTS_MAX = 20_000;
const UNSHOWN: ReadonlySet<string> = new Set(['template', 'script', 'style']);
const MEDIA: ReadonlySet<string> = new Set(['img', 'video', 'audio', 'iframe', 'object', 'embed']);
/** Types of executable scripts. Others are data. */
const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i;

/** Node of a parsed page, as far as the search for content reads it. */
interface PageNode {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly children?: readonly PageNode[];
}

/** Returns the reason not to parse a page: parsing a hostile one would take hours. `undefined` for other pages. */
export function reasonNotToParse(html: string): string | undefined {
  const isTooLarge = (html.match(/<[a-z]/gi)?.length ?? 0) > ELEMENTS_MAX;
  return isTooLarge ? `the page has more than ${ELEMENTS_MAX} elements` : undefined;
}

/** Parses a page as a browser does. Check {@link reasonNotToParse} before. */
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
      .slice(0, WIDGET_ELEMENTS_MAX)
      .map((element) => ({
        name: element.tagName.toLowerCase(),
        attributes: { ...element.attribs },
        hasContent: hasMemberContent(element),
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

/** True if a child without the attribute `slot` has a text or a medium. A page can nest deeper than a recursion can follow. */
function hasMemberContent(element: PageNode): boolean {
  const isShown = ({ name = '', attribs }: PageNode) =>
    attribs?.slot === undefined && !UNSHOWN.has(name.toLowerCase());
  const waiting = (element.children ?? []).filter(isShown);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'text' && node.data?.trim()) return true;
    if (MEDIA.has(node.name ?? '')) return true;
    if (node.type === 'tag') for (const child of node.children ?? []) waiting.push(child);
  }
  return false;
}
