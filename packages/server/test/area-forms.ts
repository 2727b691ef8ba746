import type { Browser, FormFields } from './browser.js';
import { formOf, parsePage } from './pages/page-document.js';

/** Hidden fields of the page's form. */
export async function hiddenFields(
  browser: Browser,
  path: string,
  action: string,
): Promise<Record<string, string>> {
  const page = await browser.get(path);
  return Object.fromEntries(formOf(parsePage(await page.text()), action).hidden);
}

/** Opens a page, fills in its form and submits it. */
export async function fillIn(
  browser: Browser,
  { path, action = path }: { path: string; action?: string },
  typed: FormFields,
): Promise<Response> {
  return await browser.post(action, { ...(await hiddenFields(browser, path, action)), ...typed });
}

/** Error messages at the top of a rejected form, each with the id of its field. */
export async function errorsOn(response: Response): Promise<Record<string, string>> {
  const $ = parsePage(await response.text());
  return Object.fromEntries(
    $('.error-summary a')
      .toArray()
      .map((link) => [($(link).attr('href') ?? '').slice(1), $(link).text()]),
  );
}
