import { sandboxScenario } from '@latchkey/sandbox';
import { LONG } from '../levels.js';
import { expect, test } from '../world.js';
import { sharedSandbox } from './console-page.js';
import { call, logList, logRows, openedEntry, openLog, provision, selectedRow } from './request-log.js';

const { users } = sandboxScenario;
const sandbox = sharedSandbox();

test.beforeEach(() => sandbox().control.requests.clear());

test('a rule leads to its text, and an address to its entry', async ({ page }) => {
  const id = await call(sandbox(), '/oauth/userinfo');
  await openLog(page, sandbox(), `?id=${id}`);
  await expect(selectedRow(page)).toContainText('/oauth/userinfo');
  await page.getByRole('link', { name: 'oauth-error.invalid-token-missing' }).click();
  await expect(page.locator('dl > div:target')).toContainText('oauth-error.invalid-token-missing');
  await page.goBack();
  await expect(openedEntry(page)).toContainText(id);
  await openLog(page, sandbox(), '?id=req_999999');
  await expect(page.locator('console-app .notice')).toContainText(
    /There is no request with the id "req_999999"/,
  );
});

test('filters narrow the list, stay in the address, and are removed together', { tag: LONG }, async ({
  page,
}) => {
  await call(sandbox(), '/oauth/userinfo');
  await provision(sandbox());
  await openLog(page, sandbox());
  await expect(logRows(page)).toHaveCount(2);
  await page.getByLabel('Failures only').check();
  await expect(logRows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/failed=true/);
  await page.getByLabel('Failures only').uncheck();
  await page.getByLabel('Text').fill('ORDER-1');
  await expect(logRows(page)).toHaveCount(1);
  await expect(logRows(page).first()).toContainText('provision-external');
  await page.getByLabel('Text').fill('');
  await expect(logRows(page)).toHaveCount(2);
  await page.getByLabel('Status').selectOption('4xx');
  await expect(logRows(page)).toHaveCount(1);
  await page.getByLabel('Endpoint').selectOption('token');
  await expect(page.getByText('No request matches.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No request matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await expect(logRows(page)).toHaveCount(2);
  await page.getByLabel('Client or key').fill(users.dana.email);
  await expect(logRows(page)).toHaveCount(1);
});

test('pause holds new requests back, resume shows them, and clear empties the log', { tag: LONG }, async ({
  page,
}) => {
  await call(sandbox(), '/oauth/userinfo');
  await openLog(page, sandbox());
  await expect(logRows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Pause' }).click();
  await call(sandbox(), '/oauth/memberships');
  await expect(page.locator('#live')).toHaveText('Paused, 1 new');
  await expect(logRows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(logRows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear log' }).click();
  await expect(page.getByText('No requests yet.')).toBeVisible();
  expect(sandbox().control.requests.list().total).toBe(0);
});

test('the keyboard alone searches, moves, opens, closes and replays', { tag: LONG }, async ({ page }) => {
  await call(sandbox(), '/oauth/userinfo');
  await call(sandbox(), '/oauth/memberships');
  await call(sandbox(), '/oauth/products');
  await openLog(page, sandbox());
  await expect(logRows(page)).toHaveCount(3);
  const selected = selectedRow(page);
  await page.keyboard.press('j');
  await expect(selected).toContainText('/oauth/products');
  await page.keyboard.press('j');
  await expect(selected).toContainText('/oauth/memberships');
  await page.keyboard.press('k');
  await expect(selected).toContainText('/oauth/products');
  await page.keyboard.press('/');
  await expect(page.getByLabel('Text')).toBeFocused();
  await page.keyboard.type('jk/');
  await expect(page.getByText('No request matches.')).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await expect(logRows(page)).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(logList(page)).toBeFocused();
  await page.keyboard.press('End');
  await expect(selected).toContainText('/oauth/userinfo');
  await page.keyboard.press('ArrowUp');
  await expect(selected).toContainText('/oauth/memberships');
  await page.keyboard.press('Enter');
  await expect(openedEntry(page).getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Replay' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Sent again as/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(openedEntry(page)).toBeHidden();
  await expect(logList(page)).toBeFocused();
});

test('older requests load while one scrolls, and a reset empties the page', { tag: LONG }, async ({
  page,
}) => {
  for (let count = 0; count < 450; count += 50) {
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${sandbox().baseUrl}/oauth/userinfo`)));
  }
  await expect.poll(() => sandbox().control.requests.list({ limit: 1 }).total).toBe(450);
  await openLog(page, sandbox());
  await expect(page.getByText('450 requests')).toBeVisible();
  expect(await logRows(page).count()).toBeLessThan(100);
  await logList(page).focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.locator('[aria-posinset="450"]')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.locator('[aria-posinset="450"]').click();
  await expect(openedEntry(page)).toBeVisible();
  await sandbox().control.snapshots.reset();
  await expect(page.getByText('No requests yet.')).toBeVisible();
});

test('the service’s time follows the clock', { tag: LONG }, async ({ page }) => {
  await openLog(page, sandbox());
  const before = await page.locator('#service-time').textContent();
  await sandbox().control.clock.advance(31 * 24 * 3600_000);
  await expect(page.locator('#service-time')).not.toHaveText(before ?? '');
});
