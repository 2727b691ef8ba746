import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import { expectNoViolations } from './axe.js';
import { LONG } from './levels.js';
import { expect, test } from './world.js';

const ENDPOINT_COUNT = 12;

// `all-pages.spec.ts` checks the same page before it has a response.
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('the reference, with a response and with its keys, has no accessibility violation', {
      tag: LONG,
    }, async ({ page, world: { service } }) => {
      // The page scrolls to the operation in its address, and Playwright can't click moving elements.
      await page.goto(`${service.baseUrl}/reference#/Drops/dropSignup`);
      await page.getByRole('button', { name: 'Try it out' }).press('Enter');
      await page.getByRole('button', { name: 'Execute' }).press('Enter');
      await expect(page.locator('.live-responses-table')).toContainText('"signedUp": true');
      await expectNoViolations(page);
      await page.locator('.viewer-access').getByRole('button').press('Enter');
      await expect(page.getByText('Available authorizations')).toBeVisible();
      await expectNoViolations(page);
    });
  });
}

test('the reference shows every endpoint and event, and sends an example within its policy', async ({
  page,
  world: { service },
}) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${service.baseUrl}/reference`);
  await expect(page.locator('.opblock-summary-path')).toHaveCount(
    ENDPOINT_COUNT + WEBHOOK_EVENT_TYPES.length,
  );
  const check = page.locator('.opblock', { hasText: 'Check a messenger account' });
  // Its picture is drawn by the page's own styles.
  const copy = check.getByRole('button', { name: 'Copy path to clipboard' });
  expect(await copy.evaluate((button) => getComputedStyle(button, '::before').content)).toBe('""');
  await check.locator('.opblock-summary-control').press('Enter');
  await check.getByRole('button', { name: 'Try it out' }).click();
  await check.getByRole('button', { name: 'Execute' }).click();
  await expect(check.locator('.live-responses-table')).toContainText('"isActive": true');
  expect(errors).toEqual([]);
});

test('the reference works by keyboard and fits a phone', { tag: LONG }, async ({
  page,
  world: { service },
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${service.baseUrl}/reference`);
  // The general part is closed: the first endpoint is on the first screen or just below it.
  const first = await page.locator('.opblock').first().boundingBox();
  expect(first?.y).toBeLessThan(800);
  const general = page.locator('summary', { hasText: 'How to integrate, failures and retries' });
  await expect(page.getByText('Check the HTTP status first')).toBeHidden();
  await general.press('Enter');
  await expect(page.getByText('Check the HTTP status first')).toBeVisible();
  const signup = page.locator('.opblock', { hasText: 'Sign up for the next drop' });
  await signup.locator('.opblock-summary-control').press('Enter');
  await expect(signup.getByText('Request body')).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
