import { createSandbox, type RunningSandbox } from '@latchkey/sandbox';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../axe.js';

/** A sandbox that all tests of a file share. They run one after another. */
export function sharedSandbox(options: Parameters<typeof createSandbox>[0] = {}): () => RunningSandbox {
  test.describe.configure({ mode: 'default' });
  let sandbox: RunningSandbox | undefined;
  test.beforeAll(async () => {
    sandbox = await createSandbox(options);
  });
  test.afterAll(async () => await sandbox?.close());
  return () => {
    if (sandbox === undefined) throw new Error('The sandbox has not started.');
    return sandbox;
  };
}

/** Asserts that axe finds nothing on a wide light page and on a narrow dark one, and that the narrow one does not scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 860 });
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 320, height: 860 });
  await expectNoViolations(page);
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(tooWide, 'pixels that do not fit').toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 860 });
}

/** Allows the page to write to the clipboard, where the browser has a permission for it. */
export async function allowClipboard(context: BrowserContext): Promise<void> {
  if (context.browser()?.browserType().name() !== 'chromium') return;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
}
