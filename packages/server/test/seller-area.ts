import type { CheerioAPI } from 'cheerio';
import { expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import type { ServiceUnderTest } from './service-under-test.js';

/** Address of the sandbox's community in the seller area. */
export const COMMUNITY = `/seller/communities/${sandboxScenario.community.id}`;

/** Somebody in the seller area. */
export interface Seller {
  /** The page at an address, which must be there. */
  page(path: string): Promise<CheerioAPI>;
  /** What an address answers with. */
  get(path: string): Promise<Response>;
  /** Sends a form as the page does, with who it belongs to. */
  post(path: string, fields?: Record<string, string>): Promise<Response>;
  /** Sends a form that is taken, and gives the page it leads to. */
  submit(path: string, fields?: Record<string, string>): Promise<CheerioAPI>;
  /** Sends a form that is refused, and gives the page with what was wrong. */
  refused(path: string, fields?: Record<string, string>, status?: number): Promise<CheerioAPI>;
}

/** Signs somebody in. */
export async function sellerOf(service: ServiceUnderTest, email = 'dana@example.com'): Promise<Seller> {
  const browser = await signedIn(service, email);
  const home = parsePage(await (await browser.get('/seller')).text());
  const account = home('input[name="account"]').first().attr('value') ?? '';
  const page = async (path: string) => {
    const response = await browser.get(path);
    expect(response.status).toBe(200);
    return parsePage(await response.text());
  };
  const post: Seller['post'] = (path, fields = {}) => browser.post(path, { account, ...fields });
  return {
    page,
    get: (path) => browser.get(path),
    post,
    async submit(path, fields) {
      const response = await post(path, fields);
      expect(response.status).toBe(303);
      return await page(locationOf(response));
    },
    async refused(path, fields, status = 400) {
      const response = await post(path, fields);
      expect(response.status).toBe(status);
      return parsePage(await response.text());
    },
  };
}

/** What a page says that was wrong, each with the field it leads to. */
export function faultsIn($: CheerioAPI): string[] {
  return $('.fault-summary li a')
    .toArray()
    .map((link) => `${$(link).attr('href')} ${$(link).text()}`);
}

/** What a page says that was done. */
export function noticeIn($: CheerioAPI): string {
  return textOf($, '[role="status"]');
}

/** What stands in a field. */
export function fieldIn($: CheerioAPI, name: string): string | undefined {
  const selected = $(`select[name="${name}"] option[selected]`).attr('value');
  return selected ?? $(`input[name="${name}"]:not([type="hidden"])`).attr('value');
}

/** The rows of a list on a page, each as what its paragraphs say: `Tea Club | Owner`. */
export function rowsIn($: CheerioAPI, section: string): string[] {
  return $(`section[aria-labelledby="${section}"] .row`)
    .toArray()
    .map((row) => {
      const paragraphs = $(row).find('p').not('details p').toArray();
      return paragraphs.map((paragraph) => $(paragraph).text().replace(/\s+/g, ' ').trim()).join(' | ');
    });
}

/** The last part of the address that the first link of a list leads to: an id. */
export function firstIdIn($: CheerioAPI, section: string): string {
  return (
    $(`section[aria-labelledby="${section}"] .row-title a`).first().attr('href')?.split('/').at(-1) ?? ''
  );
}
