import type { SiteOptions } from '@latchkey/server';
import type { Page } from '@latchkey/server/ui';
import { type CheerioAPI, load } from 'cheerio';
import { sandboxSite } from '../src/navigation/sandbox-nav.js';

/** Brand of a service whose operator chose none. */
export const SERVICE_BRAND = { name: 'Latchkey', logoUrl: null, accent: null };

/** Parses a page. */
export function parsePage(
  page: Page | string,
  site: SiteOptions = sandboxSite({ now: () => 0 }),
): CheerioAPI {
  return load(typeof page === 'string' ? page : page({ ...site, brand: SERVICE_BRAND }));
}

/** Returns the text of the matching elements, with each run of white space as one space. */
export function textOf($: CheerioAPI, selector: string): string {
  return $(selector).text().replace(/\s+/g, ' ').trim();
}

/** Returns the method, the hidden fields and the named buttons of a form. */
export function formOf($: CheerioAPI, action: string) {
  const form = `form[action="${action}"]`;
  return {
    method: $(form).attr('method'),
    hidden: namesAndValues($, `${form} input[type="hidden"]`),
    buttons: namesAndValues($, `${form} button[type="submit"][name]`),
  };
}

function namesAndValues($: CheerioAPI, selector: string): [name: string, value: string][] {
  return $(selector)
    .toArray()
    .map((element) => [$(element).attr('name') ?? '', $(element).attr('value') ?? '']);
}
