import { expectNoViolations } from './axe.js';
import { JOURNEY, longIf } from './levels.js';
import { expect, test } from './world.js';

const SECRET = 'ocs_1f0e2d3c4b5a69788796a5b4c3d2e1f01f0e2d3c4b5a69788796a5b4c3d2e1f0';

test.describe('the script of the pages', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('copies a value, and says so', { tag: JOURNEY }, async ({ page, context, world }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${world.service.baseUrl}/sandbox/parts`);
    await page.getByRole('button', { name: 'Copy Client secret' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Copied: Client secret' })).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(SECRET);
  });

  test('selects the value where a page has no clipboard', async ({ page, world }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.goto(`${world.service.baseUrl}/sandbox/parts`);
    await page.getByRole('button', { name: 'Copy Client ID' }).click();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('oac_c0ffee00c0ffee00c0ffee00');
    await expect(page.getByText('Selected: Client ID.')).toBeAttached();
  });

  test('shows times in the visitor’s zone, and keeps UTC in the title', async ({ page, world }) => {
    await page.goto(`${world.service.baseUrl}/sandbox/parts`);
    const time = page.locator('time[data-local="second"]');
    await expect(time).toHaveText('22 Nov 2026, 07:51:07');
    await expect(time).toHaveAttribute('title', '22 Nov 2026, 06:51 UTC');
    await expect(time).toHaveAttribute('datetime', '2026-11-22T06:51:07.000Z');
  });

  test('converts date fields, and sends the zone that they are in', async ({ page, world }) => {
    await page.goto(`${world.service.baseUrl}/sandbox/parts`);
    await expect(page.locator('#ends')).toHaveValue('2026-12-05');
    await expect(page.locator('#ends-time')).toHaveValue('19:30');
    await expect(page.locator('#starts')).toHaveValue('');
    await page.locator('form').first().getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(/[?&]ends=/);
    const sent = new URL(page.url()).searchParams;
    expect(sent.getAll('zone')).toEqual(['Europe/Berlin', 'Europe/Berlin']);
    expect(sent.get('ends-time')).toBe('19:30');
  });
});

test.describe('without a script', () => {
  test.use({ timezoneId: 'Europe/Berlin', javaScriptEnabled: false });

  test('the same page is in UTC, and a click selects the whole value', async ({ page, world }) => {
    await page.goto(`${world.service.baseUrl}/sandbox/parts`);
    await expect(page.getByRole('button', { name: 'Copy Client ID' })).toBeHidden();
    await expect(page.locator('time[data-local="minute"]').first()).toHaveText('22 Nov 2026, 06:51 UTC');
    await expect(page.locator('#ends-time')).toHaveValue('18:30');
    await expect(page.getByLabel('Client ID')).toHaveCSS('user-select', 'all');
    await page.getByRole('button', { name: 'Open dialog' }).click();
    await expect(page.getByRole('dialog', { name: 'End this membership?' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

// A test of the colors computes their contrast in both schemes.
for (const query of ['scheme=light', 'scheme=dark', 'dir=rtl&long=1']) {
  test(
    `the page of parts with ${query} has no violation and fits a narrow window`,
    longIf(query.startsWith('scheme=')),
    async ({ page, world }) => {
      await page.goto(`${world.service.baseUrl}/sandbox/parts?${query}`);
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await expectNoViolations(page);
      }
    },
  );
}
