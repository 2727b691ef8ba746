import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { runnerImport } from 'vite';
import { violationsOf } from './axe.js';
import { test } from './calm-press.js';
import { JOURNEY } from './levels.js';
import { CONDITIONS } from './page-conditions.js';

const ORIGIN = 'http://pages.localhost';

const REFRESH = /<meta http-equiv="refresh"[^>]*>/i;

// `all-pages.spec.ts` visits the pages of a running service. This is the longest journey, and its file name lets it start first.
test('every page of the service, as rendered, is accessible, and fits 320 pixels', { tag: JOURNEY }, async ({
  page,
}) => {
  const { pages, stylesheet } = await renderPages();
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html' });
    if (pathname !== stylesheet.path) return route.abort();
    return route.fulfill({ body: stylesheet.content, contentType: 'text/css' });
  });
  const [{ viewport, colorScheme }] = CONDITIONS;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.goto(ORIGIN);
  const defects: string[] = [];
  for (const [name, html] of pages) {
    await page.evaluate(writeDocument, html);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    const found = await violationsOf(page, { hasFrames: true });
    if (width > viewport.width) found.push(`${width} px wide`);
    defects.push(...found.map((defect) => `${name}: ${defect}`));
  }
  expect(pages.length).toBeGreaterThan(50);
  expect(defects).toEqual([]);
});

/** Replaces the document and waits until it has loaded. The window stays, with axe: a navigation would compile it again. */
async function writeDocument(html: string): Promise<void> {
  document.open();
  const loaded = new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  document.write(html);
  document.close();
  await loaded;
}

/** Renders each page of the server's fixtures, from the sources. */
async function renderPages() {
  const entry = fileURLToPath(new URL('../packages/server/test/pages/all.ts', import.meta.url));
  // One entry, because each import compiles its modules again.
  const plugin = {
    name: 'pages',
    resolveId: (id: string) => (id === entry ? id : undefined),
    load: (id: string) =>
      id === entry
        ? `export { everyPageWith } from './page-fixtures.js';
           export { PAGE_STYLESHEET } from '../../src/web/kit/frame/page-assets.js';
           export { PLAIN_SITE } from '../../src/web/kit/frame/send-page.js';`
        : undefined,
  };
  const { module } = await runnerImport<{
    everyPageWith(text: string): Record<string, (site: unknown) => string>;
    PAGE_STYLESHEET: { path: string; content: Buffer };
    PLAIN_SITE: unknown;
  }>(entry, { plugins: [plugin] });
  // One page leads elsewhere by itself.
  const pages = Object.entries(module.everyPageWith('Plain')).map(
    ([name, page]) => [name, page(module.PLAIN_SITE).replace(REFRESH, '')] as const,
  );
  return { pages, stylesheet: module.PAGE_STYLESHEET };
}
