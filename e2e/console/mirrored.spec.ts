import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { runnerImport } from 'vite';
import { test } from '../calm-press.js';
import { JOURNEY } from '../levels.js';

test('the arrow of a choice lies on the right, and from right to left on the left', { tag: JOURNEY }, async ({
  page,
}) => {
  const styles = await baseStyles();
  // Without its colour there is no arrow.
  await page.setContent('<main style="--muted: gray"></main>');
  await page.locator('main').evaluate((host, text) => {
    host.attachShadow({ mode: 'open' }).innerHTML = `<style>${text}</style><select></select>`;
  }, styles);
  const select = page.locator('select');
  await expect(select).toHaveCSS('background-position', 'calc(100% - 18px) 50%, calc(100% - 13px) 50%');
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  await expect(select).toHaveCSS('background-position', '13px 50%, 18px 50%');
});

/** Returns the styles of all of the console's elements, from their source. */
async function baseStyles(): Promise<string> {
  const path = fileURLToPath(new URL('../../packages/console/src/parts/base.styles.ts', import.meta.url));
  const { module } = await runnerImport<{ baseStyles: { cssText: string } }>(path);
  return module.baseStyles.cssText;
}
