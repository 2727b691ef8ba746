import type { Response } from 'express';
import { type Brand, DEFAULT_BRAND } from '../../../domain/brand/brand.js';

/** Appearance that all pages of one running service share, besides the brand. */
export interface SiteOptions {
  /** Root-relative address behind the service's name in the header. */
  readonly homePath: string;
  /** Notice at the top of every page. */
  readonly banner?: SiteBanner | undefined;
}

/** Appearance that all pages of one running service share. */
export interface Site extends SiteOptions {
  /** Name, logo and accent colour of the service, which its operator chose. */
  readonly brand: Brand;
  /** Origin of the stylesheet. Default: the origin of the page. */
  readonly filesOrigin?: string | undefined;
  /** Locale of the visitor's numbers and prices. Default: "en-GB". */
  readonly locale?: string | undefined;
}

/** Notice at the top of every page, for example that all data are test data. */
export interface SiteBanner {
  /** Name of the notice for screen readers. */
  readonly label: string;
  /** One or two words, shown as a badge. */
  readonly badge: string;
  readonly text: string;
  /** Time to show with it, in milliseconds since the epoch. A getter is read for each page. */
  readonly time?: number | undefined;
}

/** Site without a banner. Its home is the account page. */
export const PLAIN_SITE: Site = { homePath: '/account', brand: DEFAULT_BRAND };

/** Page that can be rendered for the site that sends it. */
export interface Page {
  /** Returns the HTML document. */
  (site: Site): string;
  /** True if the page loads the page script. Its policy must allow scripts of its own origin. */
  readonly loadsPageScript: boolean;
}

/** Site that the app was created with. */
export function siteOf({ locals }: Pick<Response, 'locals'>): Site {
  return locals.site as Site;
}
