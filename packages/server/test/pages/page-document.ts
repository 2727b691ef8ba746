import { type CheerioAPI, load } from 'cheerio';
import { type Page, PLAIN_SITE, type Site } from '../../src/web/kit/frame/send-page.js';

/** Parses a page like a browser. */
export function parsePage(page: Page | string, site: Site = PLAIN_SITE): CheerioAPI {
  return load(typeof page === 'string' ? page : page(site));
}

/** Text of the matching elements, with runs of white space as one space. */
export function textOf($: CheerioAPI, selector: string): string {
  return $(selector).text().replace(/\s+/g, ' ').trim();
}

/** Rows of the tables in a section, each with its cells joined: `Tea Club | Owner | Leave role`. */
export function tableRows($: CheerioAPI, section: string): string[] {
  return $(`section#${section} tbody tr`)
    .toArray()
    .map((row) =>
      $(row)
        .children()
        .toArray()
        .map((cell) => $(cell).text().replace(/\s+/g, ' ').trim())
        .join(' | '),
    );
}

/** Fixed values of a form: method, hidden fields and named buttons. */
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
