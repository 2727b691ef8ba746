import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isError } from '@latchkey/contract/constants';
import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import { type Brand, DEFAULT_BRAND } from '../../../features/brand/brand.js';
import { canChooseLanguage } from '../../../platform/language/language.js';

/** Appearance that all pages of a running service share, apart from the brand. */
export interface SiteOptions {
  /** Root-relative address behind the service's name in the header. */
  readonly homePath: string;
  readonly banner?: SiteBanner | undefined;
  /** Header of the API reference. A getter is read for each page. */
  readonly referenceHeader?: SiteHeader | undefined;
}

/** Header of a page, next to the service's name, and the stylesheet with its layout. */
export interface SiteHeader {
  readonly end: ComponentChildren;
  readonly nav: ComponentChildren;
  readonly stylesheet: string;
}

/** Appearance that all pages of a running service share. */
export interface Site extends SiteOptions {
  /** Name, logo and accent colour of the service, which its operator chose. */
  readonly brand: Brand;
  /** Origin of the stylesheet. Default: the origin of the page. */
  readonly filesOrigin?: string | undefined;
  /** True if the visitor may choose the language of the page. Default: false. */
  readonly hasLanguages?: boolean | undefined;
}

/** Notice at the top of every page, for example that all data is test data. */
export interface SiteBanner {
  readonly label: string;
  /** One or two words, shown as a badge. */
  readonly badge: string;
  readonly text: string;
  /** Time to show with it, in milliseconds since the epoch. A getter is read for each page. */
  readonly time?: number | undefined;
}

/** A site without a banner. Its home is the account page. */
export const PLAIN_SITE: Site = { homePath: '/account', brand: DEFAULT_BRAND };

/** A page, to be rendered for the site that sends it. */
export interface Page {
  (site: Site): string;
  /** True if the page loads the page script. Its policy must then allow scripts of its own origin. */
  readonly loadsPageScript: boolean;
}

export function siteOf({ locals }: Pick<Response, 'locals'>): Site {
  return locals.site as Site;
}

export interface PageOptions {
  /** @default 200 */
  status?: number;
  /** Other origins that a form may redirect to. Chromium applies `form-action` to redirects after a POST too. */
  formTargets?: readonly string[];
  /** Origin of the stylesheet, for a page on a host that serves no files. Default: the origin of the page. */
  filesOrigin?: string | undefined;
  /** True to allow scripts of the page's own origin, and their requests to it. The page script doesn't need this. */
  allowsScripts?: boolean;
  /** True to allow frames with pages of the page's own origin. */
  allowsFrames?: boolean;
  /** Headers in place of the usual ones, for a page with a special policy. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a page with headers that forbid caching, framing and foreign styles, and scripts unless the page loads its own.
 * The referrer is sent within the service only. With `no-referrer`, form posts would have `Origin: null`.
 */
export function sendPage(response: Response, page: Page, options: PageOptions = {}): void {
  const {
    status = 200,
    formTargets = [],
    filesOrigin,
    allowsScripts = false,
    allowsFrames = false,
    headers = {},
  } = options;
  const policy = [
    "default-src 'none'",
    `style-src ${filesOrigin ?? "'self'"}`,
    `font-src ${filesOrigin ?? "'self'"}`,
    // The owner of a client can host its logo anywhere.
    'img-src data: https: http:',
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(allowsFrames ? ["frame-src 'self'"] : []),
    ...(allowsScripts || page.loadsPageScript ? ["script-src 'self'"] : []),
    ...(allowsScripts ? ["connect-src 'self'"] : []),
  ];
  // The response to a form has no address that shows it again.
  const isOpenAgain = response.req.method === 'GET' && filesOrigin === undefined;
  const hasLanguages = isOpenAgain && canChooseLanguage();
  response
    .status(status)
    .set({
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
      ...headers,
    })
    .type('html')
    .send(page({ ...siteOf(response), filesOrigin, hasLanguages }));
}

/** Returns the CSP source for a form that ends in a redirect to this URI. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  // CSP has no syntax for an IPv6 host.
  return hostname.startsWith('[') ? protocol : origin;
}

/** A download that the user cancels isn't an error. */
export async function sendCsv(response: Response, name: string, lines: AsyncIterable<string>): Promise<void> {
  response
    .status(200)
    .set('Cache-Control', 'no-store')
    .set('Content-Disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8');
  try {
    await pipeline(Readable.from(lines), response);
  } catch (error) {
    if (!(response.destroyed && isPrematureClose(error))) throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return isError(error) && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
