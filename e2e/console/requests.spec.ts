import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expect, recordPageErrors, test } from '../world.js';
import { allowClipboard, expectAccessible, sharedSandbox } from './console-page.js';

const { apiKey, community, users } = sandboxScenario;
const sandbox = sharedSandbox();

/** Sends a call of the service, and waits for its entry. */
async function call(path: string, init?: RequestInit): Promise<string> {
  const { control, baseUrl } = sandbox();
  const before = control.requests.list({ limit: 1 }).requests[0]?.id;
  const response = await fetch(`${baseUrl}${path}`, init);
  await response.arrayBuffer();
  await expect.poll(() => control.requests.list({ limit: 1 }).requests[0]?.id).not.toBe(before);
  return control.requests.list({ limit: 1 }).requests[0]?.id ?? '';
}

const provision = () =>
  call('/membership/provision-external', {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      communityId: community.id,
      externalOrderId: 'order-1',
      email: users.ben.email,
    }),
  });

const list = (page: Page) => page.getByRole('listbox');
const rows = (page: Page) => list(page).getByRole('option');
const selectedRow = (page: Page) => list(page).getByRole('option', { selected: true });
const detail = (page: Page) => page.getByRole('region', { name: /^Request req_/ });

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`${sandbox().baseUrl}/sandbox/requests${query}`);
  await expect(page.locator('#live')).toHaveText('Live');
}

test.beforeEach(() => sandbox().control.requests.clear());

test('requests appear live, and open with rule, bodies and headers, under the strict policy', async ({
  page,
  context,
}) => {
  const pageErrors = await recordPageErrors(context);
  await open(page);
  await expect(page.getByText('No requests yet.')).toBeVisible();
  await call('/oauth/userinfo', { headers: { 'X-Own-Token': 'very-secret' } });
  await provision();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('/membership/provision-external');
  await rows(page).last().click();
  await expect(detail(page)).toContainText('oauth-error.invalid-token-missing');
  await expect(page).toHaveURL(/\?id=req_\d+$/);
  await page.getByText('Request headers').click();
  await expect(detail(page)).toContainText('x-own-token');
  await expect(detail(page)).not.toContainText('very-secret');
  await rows(page).first().click();
  await expect(detail(page)).toContainText('"externalOrderId": "order-1"');
  await expect(detail(page)).not.toContainText(apiKey);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'provisionExternal' }).click();
  await expect(page.getByLabel('Endpoint')).toHaveValue('provisionExternal');
  expect(pageErrors).toEqual([]);
});

test('a rule leads to its text, and an address to its entry', async ({ page }) => {
  const id = await call('/oauth/userinfo');
  await open(page, `?id=${id}`);
  await expect(selectedRow(page)).toContainText('/oauth/userinfo');
  await page.getByRole('link', { name: 'oauth-error.invalid-token-missing' }).click();
  await expect(page.locator('dl > div:target')).toContainText('oauth-error.invalid-token-missing');
  await page.goBack();
  await expect(detail(page)).toContainText(id);
  await open(page, '?id=req_999999');
  await expect(page.getByRole('alert')).toHaveText(/There is no request with the id "req_999999"/);
});

test('replay sends the request again and shows its entry; copy as curl hides the key', async ({
  page,
  context,
}) => {
  await allowClipboard(context);
  const id = await provision();
  await open(page, `?id=${id}`);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByRole('button', { name: 'Copied as a curl command' })).toBeVisible();
  if (context.browser()?.browserType().name() === 'chromium') {
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('curl -X POST');
    expect(copied).not.toContain(apiKey);
  }
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText(/^Sent again as req_\d+: 200\.$/)).toBeVisible();
  await expect(detail(page)).toContainText('idempotent_return');
  await expect(detail(page).getByRole('link', { name: id, exact: true })).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('replay');
});

test('filters narrow the list, stay in the address, and are removed together', async ({ page }) => {
  await call('/oauth/userinfo');
  await provision();
  await open(page);
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel('Failures only').check();
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/failed=true/);
  await page.getByLabel('Failures only').uncheck();
  await page.getByLabel('Text').fill('ORDER-1');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('provision-external');
  await page.getByLabel('Text').fill('');
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel('Status').selectOption('4xx');
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel('Endpoint').selectOption('token');
  await expect(page.getByText('No request matches.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No request matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel('Client or key').fill(users.dana.email);
  await expect(rows(page)).toHaveCount(1);
});

test('pause holds new requests back, resume shows them, and clear empties the log', async ({ page }) => {
  await call('/oauth/userinfo');
  await open(page);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Pause' }).click();
  await call('/oauth/memberships');
  await expect(page.locator('#live')).toHaveText('Paused, 1 new');
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear log' }).click();
  await expect(page.getByText('No requests yet.')).toBeVisible();
  expect(sandbox().control.requests.list().total).toBe(0);
});

test('the keyboard alone searches, moves, opens, closes and replays', async ({ page }) => {
  await call('/oauth/userinfo');
  await call('/oauth/memberships');
  await call('/oauth/products');
  await open(page);
  await expect(rows(page)).toHaveCount(3);
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
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(list(page)).toBeFocused();
  await page.keyboard.press('End');
  await expect(selected).toContainText('/oauth/userinfo');
  await page.keyboard.press('ArrowUp');
  await expect(selected).toContainText('/oauth/memberships');
  await page.keyboard.press('Enter');
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Replay' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Sent again as/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(detail(page)).toBeHidden();
  await expect(list(page)).toBeFocused();
});

test('older requests load while one scrolls, and a reset empties the page', async ({ page }) => {
  for (let count = 0; count < 450; count += 50) {
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${sandbox().baseUrl}/oauth/userinfo`)));
  }
  await expect.poll(() => sandbox().control.requests.list({ limit: 1 }).total).toBe(450);
  await open(page);
  await expect(page.getByText('450 requests')).toBeVisible();
  expect(await rows(page).count()).toBeLessThan(100);
  await list(page).focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.locator('[aria-posinset="450"]')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.locator('[aria-posinset="450"]').click();
  await expect(detail(page)).toBeVisible();
  await sandbox().control.snapshots.reset();
  await expect(page.getByText('No requests yet.')).toBeVisible();
});

test('the service’s time follows the clock', async ({ page }) => {
  await open(page);
  const before = await page.locator('#service-time').textContent();
  await sandbox().control.clock.advance(31 * 24 * 3600_000);
  await expect(page.locator('#service-time')).not.toHaveText(before ?? '');
});
