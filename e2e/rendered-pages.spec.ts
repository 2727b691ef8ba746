import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { runnerImport } from 'vite';
import { violationsOf } from './axe.js';
import { JOURNEY } from './levels.js';
import { CONDITIONS } from './page-conditions.js';

const ORIGIN = 'http://pages.localhost';

const REFRESH = /<meta http-equiv="refresh"[^>]*>/i;

/** Rules that the fixtures break: they have two lists with further pages at once. */
const FIXTURES_ONLY = ['landmark-unique'];

// `all-pages.spec.ts` visits the pages of a running service.
test('every page of the service, as rendered, is accessible, and fits 320 pixels', { tag: JOURNEY }, async ({
  page,
}) => {
  const { pages, stylesheet } = await renderPages();
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const body = pathname === stylesheet.path ? stylesheet.content : pages.get(pathname.slice(1));
    const contentType = pathname === stylesheet.path ? 'text/css' : 'text/html; charset=utf-8';
    return body === undefined ? route.abort() : route.fulfill({ body, contentType });
  });
  const [{ viewport, colorScheme }] = CONDITIONS;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const defects: string[] = [];
  for (const name of pages.keys()) {
    await page.goto(`${ORIGIN}/${name}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    const found = await violationsOf(page, { hasFrames: true, except: FIXTURES_ONLY });
    if (width > viewport.width) found.push(`${width} px wide`);
    defects.push(...found.map((defect) => `${name}: ${defect}`));
  }
  expect(pages.size).toBeGreaterThan(50);
  expect(defects).toEqual([]);
});

/** Renders each page of the server's fixtures, from the sources. */
async function renderPages() {
  const load = async <Module>(path: string): Promise<Module> =>
    (await runnerImport<Module>(fileURLToPath(new URL(`../packages/server/${path}`, import.meta.url))))
      .module;
  const { everyPageWith } = await load<{
    everyPageWith(text: string): Record<string, (site: unknown) => string>;
  }>('test/pages/page-fixtures.ts');
  const { PAGE_STYLESHEET: stylesheet } = await load<{ PAGE_STYLESHEET: { path: string; content: Buffer } }>(
    'src/web/ui/frame/page-assets.ts',
  );
  const { PLAIN_SITE } = await load<{ PLAIN_SITE: unknown }>('src/web/ui/frame/send-page.ts');
  const pages = Object.entries(everyPageWith('Plain'));
  // One page leads elsewhere by itself.
  return {
    pages: new Map(pages.map(([name, page]) => [name, page(PLAIN_SITE).replace(REFRESH, '')])),
    stylesheet,
  };
}
