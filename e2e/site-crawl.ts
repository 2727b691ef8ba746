import type { Page } from '@playwright/test';

/** Paths that lead out of the pages for people: files, answers of the API, the sign-out. */
const NOT_PAGES =
  /^\/(sandbox\/api|oauth|api|assets|widget|membership|auth)\b|\.(json|csv|js|css|txt|xml|png|svg)$/;

/** A page that a crawl found. */
export interface FoundPage {
  /** Path and query, to open it. */
  readonly address: string;
  /** Path with `:id` for each id, and the names of the query. Pages with the same pattern are one kind of page. */
  readonly pattern: string;
  /** Status of the response. */
  readonly status: number | undefined;
}

/** Returns the kind of page that an address leads to. */
function patternOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const path = pathname
    .split('/')
    .map((part) => (isId(part) ? ':id' : part))
    .join('/')
    .replace(/^\/docs\/.+/, '/docs/:page');
  const names = [...new Set(searchParams.keys())].sort().join('&');
  return names === '' ? path : `${path}?${names}`;
}

function isId(part: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$|^oac_|^[a-z]{2,5}_\w+$|^\d+$|^[0-9a-f]{16,}$/.test(part);
}

/**
 * Visits these addresses and follows the links of the pages from there on, to one page of each kind. Calls `visit` on each page.
 *
 * @returns the kinds of pages, in the order of their visits
 */
export async function crawl(
  page: Page,
  {
    origin,
    from,
    within,
    visit,
  }: {
    origin: string;
    from: readonly string[];
    /** Matches the paths whose pages are visited. */
    within: RegExp;
    visit: (found: FoundPage) => Promise<void>;
  },
): Promise<string[]> {
  const queue = [...from];
  const given = new Set(from);
  const seen = new Set<string>();
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const pattern = patternOf(address);
    if (!given.delete(address) && seen.has(pattern)) continue;
    seen.add(pattern);
    const status = (await page.goto(`${origin}${address}`))?.status();
    queue.push(...(await linksOf(page, origin)).filter((link) => within.test(link)));
    await visit({ address, pattern, status });
  }
  return [...seen];
}

async function linksOf(page: Page, origin: string): Promise<string[]> {
  const links = await page
    .locator('a[href]:not([download])')
    .evaluateAll((anchors) => (anchors as HTMLAnchorElement[]).map(({ href }) => href));
  return links
    .filter((href) => href.startsWith(`${origin}/`))
    .map((href) => href.slice(origin.length).replace(/#.*$/, ''))
    .filter((address) => !NOT_PAGES.test(address.replace(/\?.*$/, '')));
}
