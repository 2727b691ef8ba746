import { type CheerioAPI, load } from 'cheerio';

export interface PageScript {
  /** Absolute URL; undefined for an inline script or an invalid URL. */
  readonly url: URL | undefined;
  /** Attribute `src`, as written in the page. */
  readonly src: string | undefined;
  readonly text: string;
  readonly nonce: string | undefined;
  readonly integrity: string | undefined;
}

/** An element of the widget. Attribute names are in lower case. */
export interface WidgetElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** True if the page itself contains what members see, in the default slot. */
  readonly hasContent: boolean;
}

export interface SitePage {
  readonly url: URL;
  /** What addresses in the page are relative to: its URL, or its `<base href>`. */
  readonly base: URL;
  readonly headers: Headers;
  readonly html: string;
  readonly scripts: readonly PageScript[];
  readonly elements: readonly WidgetElement[];
  readonly policies: readonly ContentPolicy[];
  /** Inline style sheets with their nonce. */
  readonly styles: readonly { readonly text: string; readonly nonce: string | undefined }[];
  /** URLs of links and forms, as written in the page. */
  readonly links: readonly string[];
}

const ELEMENTS = 'latchkey-login, latchkey-gate, latchkey-plans, latchkey-join';
const WIDGET_ELEMENTS_MAX = 200;
/** Maximum number of elements in a page. If each contains the next, parsing takes quadratic time. */
const ELEMENTS_MAX = 20_000;
const UNSHOWN: ReadonlySet<string> = new Set(['template', 'script', 'style']);
const MEDIA: ReadonlySet<string> = new Set(['img', 'video', 'audio', 'iframe', 'object', 'embed']);
/** Types of executable scripts. Other scripts are data. */
const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i;

/** A node of a parsed page, as far as the search for content needs it. */
interface PageNode {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly children?: readonly PageNode[];
}

/** Returns why a page must not be parsed (a hostile one would take hours), or `undefined`. */
export function reasonNotToParse(html: string): string | undefined {
  const isTooLarge = (html.match(/<[a-z]/gi)?.length ?? 0) > ELEMENTS_MAX;
  return isTooLarge ? `the page has more than ${ELEMENTS_MAX} elements` : undefined;
}

/** Parses a page like a browser. Call {@link reasonNotToParse} first. */
export function readPage(url: URL, headers: Headers, html: string): SitePage {
  const $ = load(html);
  const base = resolve($('base[href]').first().attr('href') ?? '', url) ?? url;
  return {
    url,
    base,
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

/** Returns an absolute URL, or undefined if it's invalid. */
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

/** True if a child without the attribute `slot` contains text or media. Not recursive: pages can nest too deeply. */
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

/** One Content-Security-Policy: the sources of each directive. */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>;

interface PolicyRequest {
  readonly url: URL;
  /** The page with the policy: `'self'` refers to it. */
  readonly page: URL;
  readonly nonce?: string | undefined;
  readonly integrity?: string | undefined;
  /** True if an allowed script requests it. */
  readonly isImport?: boolean;
}

const FALLBACKS: Readonly<Record<string, readonly string[]>> = {
  'script-src': ['script-src-elem', 'script-src', 'default-src'],
  'style-src': ['style-src-elem', 'style-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
};

/** Parses the policies in a header or a meta element. A header can contain several, separated by commas. */
function parsePolicies(text: string): ContentPolicy[] {
  return text
    .split(',')
    .map((policy) => {
      const directives = new Map<string, readonly string[]>();
      for (const part of policy.split(';')) {
        const [name = '', ...sources] = part.trim().split(/\s+/);
        // The first of two equal directives applies (CSP Level 3, section 2.2.1).
        if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
      }
      return directives;
    })
    .filter(({ size }) => size > 0);
}

/** Returns the sources that apply to a directive, or undefined if the policy allows everything. */
function sourcesOf(policy: ContentPolicy, directive: string): readonly string[] | undefined {
  const name = (FALLBACKS[directive] ?? [directive]).find((each) => policy.has(each));
  return name === undefined ? undefined : policy.get(name);
}

export function allows(
  policy: ContentPolicy,
  directive: 'script-src' | 'connect-src',
  request: PolicyRequest,
): boolean {
  const sources = sourcesOf(policy, directive);
  if (sources === undefined) return true;
  const { nonce, integrity = '' } = request;
  const hashes = integrity.split(/\s+/).filter((hash) => hash !== '');
  const isNamed =
    (nonce !== undefined && nonce !== '' && sources.includes(`'nonce-${nonce}'`)) ||
    (hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`)));
  if (directive === 'script-src' && isNamed) return true;
  // With 'strict-dynamic', browsers ignore the hosts in the list, and allow what an allowed script requests.
  if (directive === 'script-src' && sources.includes("'strict-dynamic'")) return request.isImport ?? false;
  return sources.some((source) => matches(source.toLowerCase(), request));
}

/** A policy with hashes counts as allowing an inline style: most tools create them from the page. */
export function allowsInlineStyle(policy: ContentPolicy, nonce: string | undefined): boolean {
  const sources = sourcesOf(policy, 'style-src');
  if (sources === undefined) return true;
  if (sources.some((source) => /^'sha(?:256|384|512)-/.test(source))) return true;
  const nonces = sources.filter((source) => source.startsWith("'nonce-"));
  if (nonces.length > 0) return nonce !== undefined && nonces.includes(`'nonce-${nonce}'`);
  return sources.includes("'unsafe-inline'");
}

function matches(source: string, { url, page }: PolicyRequest): boolean {
  if (source === "'self'") return isSameOrUpgraded(url, page);
  if (source === '*') return ['http:', 'https:', page.protocol].includes(url.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) {
    return url.protocol === source || (source === 'http:' && url.protocol === 'https:');
  }
  const parts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(source);
  if (parts === null || source.startsWith("'")) return false;
  const [, scheme, host = '', port, path = ''] = parts;
  return (
    matchesScheme(scheme ?? page.protocol.slice(0, -1), url) &&
    (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host) &&
    matchesPort(port, { url, scheme }) &&
    matchesPath(path, url.pathname.toLowerCase())
  );
}

function isSameOrUpgraded(url: URL, page: URL): boolean {
  return url.origin === page.origin || (url.protocol === 'https:' && url.host === page.host);
}

function matchesScheme(scheme: string, { protocol }: URL): boolean {
  return protocol === `${scheme}:` || (scheme === 'http' && protocol === 'https:');
}

function matchesPort(port: string | undefined, { url }: { url: URL; scheme: string | undefined }): boolean {
  if (port === '*') return true;
  const isDefault = url.port === '';
  if (port === undefined) return isDefault;
  const standard = url.protocol === 'https:' ? '443' : '80';
  return url.port === port || (isDefault && port === standard);
}

function matchesPath(path: string, pathname: string): boolean {
  if (path === '' || path === '/') return true;
  return path.endsWith('/') ? pathname.startsWith(path) : pathname === path;
}
