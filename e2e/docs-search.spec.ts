import { createSandbox, type RunningSandbox } from '@latchkey/sandbox';
import { expect } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { test } from './calm-press.js';
import { JOURNEY, LONG } from './levels.js';

test.describe('the search of the documentation', () => {
  let sandbox: RunningSandbox;
  test.beforeEach(async () => {
    sandbox = await createSandbox();
  });
  test.afterEach(() => sandbox.close());

  test('finds sections while the reader types', { tag: JOURNEY }, async ({ page }) => {
    await page.goto(`${sandbox.baseUrl}/docs`);
    const field = page.getByRole('searchbox', { name: 'Search the documentation' });
    await field.fill('store_unavailable');
    const results = page.locator('#docs-results');
    await expect(results.getByRole('status')).toHaveText(/section/);
    await expect(results.getByRole('link').first()).toHaveText('store_unavailable');
    await expect(results.getByRole('link').first()).toHaveAttribute(
      'href',
      '/docs/troubleshooting#store_unavailable',
    );

    await field.press('ArrowDown');
    await expect(results.getByRole('link').first()).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(field).toBeFocused();
    await field.press('Enter');
    await expect(results.getByRole('link').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(results).toBeHidden();
    await expect(field).toBeFocused();

    await field.fill('xylophone');
    await expect(results.getByRole('status')).toHaveText('No section contains “xylophone”.');
    await field.fill('"><img src=x>');
    await expect(results.getByRole('status')).toContainText('<img src=x>');
    await expect(results.locator('img')).toHaveCount(0);
    await field.fill('');
    await expect(results).toBeHidden();
  });

  test('leads to the section, is accessible, and needs no script', { tag: LONG }, async ({
    page,
    browser,
  }) => {
    await page.goto(`${sandbox.baseUrl}/docs/troubleshooting`);
    await page.getByRole('searchbox').fill('origin_refused');
    const link = page.locator('#docs-results').getByRole('link').first();
    await expect(link).toBeVisible();
    await expectNoViolations(page);
    await link.click();
    await expect(page).toHaveURL(`${sandbox.baseUrl}/docs/troubleshooting#origin_refused`);
    await expect(page.locator('#docs-results')).toBeHidden();

    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${sandbox.baseUrl}/docs`);
    await plain.getByRole('searchbox').fill('origin_refused');
    await plain.getByRole('button', { name: 'Search' }).click();
    await expect(plain.getByRole('link', { name: 'origin_refused' }).first()).toBeVisible();
    await context.close();
  });

  test('falls back to the page of results if the script cannot read it', { tag: LONG }, async ({ page }) => {
    await page.route('**/docs/search?q=webhook', (route) =>
      route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
    );
    await page.goto(`${sandbox.baseUrl}/docs`);
    await page.getByRole('searchbox').fill('webhook');
    await page.getByRole('searchbox').press('Enter');
    await expect(page.getByRole('heading', { name: 'Search', level: 1 })).toBeVisible();
  });
});
