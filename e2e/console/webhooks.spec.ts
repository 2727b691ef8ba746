import { createHmac } from 'node:crypto';
import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { expect, type Page } from '@playwright/test';
import { expectNoViolations } from '../axe.js';
import { test } from '../calm-press.js';
import { LONG } from '../levels.js';

const { memberships, users, webhooks } = sandboxScenario;
const silent = { info() {}, warn() {}, error() {} };

let sandbox: RunningSandbox;

test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  sandbox = await createSandbox({ logger: silent });
});
test.afterAll(() => sandbox.close());
test.beforeEach(async () => {
  sandbox.control.faults.clear();
  sandbox.receiver.mode = 'accept';
});

/** Records an event about Ada's membership. */
const emit = () =>
  sandbox.control.deliveries.sendTest({
    type: 'membership.updated',
    membershipId: memberships.adaCommunity.id,
  });

const open = (page: Page, query = '') => page.goto(`${sandbox.baseUrl}/sandbox/webhooks${query}`);
const detail = (page: Page) => page.getByRole('region', { name: /^Event / });
const rows = (page: Page) => page.getByRole('listbox', { name: 'Events, newest first' });

test('sets how the built-in receiver replies', { tag: LONG }, async ({ page }) => {
  await open(page);
  await page.getByRole('radio', { name: '500', exact: true }).check();
  await expect(page.getByText('The built-in receiver replies with 500.')).toBeVisible();
  const { id } = await emit();
  await open(page, `?id=${id}`);
  await expect(page.getByRole('radio', { name: '500', exact: true })).toBeChecked();
  await expect(detail(page).getByText('Response 500')).toBeVisible();
  await page.getByRole('radio', { name: 'timeout' }).check();
  await expect.poll(() => sandbox.receiver.mode).toBe('hang');
  await page.getByRole('radio', { name: '204' }).check();
  await expect.poll(() => sandbox.receiver.mode).toBe('accept');
});

test('sends a test event of a chosen type', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Send a test event' }).click();
  const dialog = page.locator('console-test-event-form');
  await dialog.getByLabel('Type').selectOption('payment.failed');
  await dialog.getByLabel('User').selectOption(users.ben.id);
  await dialog.getByLabel('Reason').selectOption('insufficient_funds');
  await dialog.getByLabel('UTM source').fill('spring');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByText('Sent payment.failed to one webhook.')).toBeVisible();
  await expect(detail(page).getByLabel('Event body')).toContainText('"reason": "insufficient_funds"');
  await expect(detail(page).getByLabel('Event body')).toContainText('"utmSource": "spring"');
});

test('verifies a signature, and names the likely mistake', async ({ page }) => {
  const { id } = await emit();
  await open(page, `?id=${id}`);
  await detail(page).getByRole('button', { name: 'Verify its signature' }).click();
  const dialog = page.locator('console-verify-form');
  await dialog.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(dialog.getByText('The signature is right.')).toBeVisible();
  const body = await dialog.getByLabel('Body, byte for byte').inputValue();
  const key = Buffer.from(webhooks.community.secret, 'hex');
  await dialog.getByLabel('Signature').fill(createHmac('sha256', key).update(body).digest('hex'));
  await dialog.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(dialog.getByText('It was decoded from hex.')).toBeVisible();
  await expectNoViolations(page);
});

test('leads to the faults of deliveries, and shows what one did', { tag: LONG }, async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Faults of deliveries' }).click();
  await expect(page.getByLabel('Effect')).toHaveValue('duplicate');
  sandbox.control.faults.add({ effect: { kind: 'delay', ms: 1_800_000 }, webhook: webhooks.community.id });
  const { id } = await emit();
  await open(page, `?id=${id}`);
  await expect(detail(page).getByText(/Held back by a fault/)).toBeVisible();
});

test('filters, and has an address for every state', { tag: LONG }, async ({ page }) => {
  await emit();
  await open(page, '?type=membership.updated');
  await expect(page.getByRole('search').getByLabel('Type')).toHaveValue('membership.updated');
  await expect(rows(page).getByRole('option').first()).toContainText('membership.updated');
  await page.getByRole('search').getByLabel('Text').fill('no such text');
  await expect(page.getByText('No event matches.')).toBeVisible();
  await expect(page).toHaveURL(/text=no/);
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await expect(page).not.toHaveURL(/text=/);
  await page.getByRole('search').getByLabel('State').selectOption('none');
  await expect(rows(page).getByRole('option')).toHaveCount(1);
  await expect(rows(page)).toContainText('no webhook');
  await page.getByRole('search').getByLabel('State').selectOption('');
  await page.getByRole('search').getByLabel('Webhook').selectOption(webhooks.brewGuide.id);
  await expect(rows(page).getByRole('option')).toHaveCount(1);
});

test('works by keyboard only', { tag: LONG }, async ({ page }) => {
  await emit();
  await open(page);
  await expect(rows(page).getByRole('option').first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('search').getByLabel('Text')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rows(page)).toBeFocused();
  // The event arrives only after the keys.
  let release = () => {};
  const pressed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/sandbox/api/events/*', async (route) => {
    await pressed;
    await route.continue();
  });
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  release();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(detail(page).getByRole('button', { name: /^Copy id/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(detail(page)).toHaveCount(0);
  await expect(rows(page)).toBeFocused();
});

// Each event is recorded and delivered, which takes the time.
for (const total of [150, 1_000]) {
  test(`keeps few rows of ${total} deliveries, and loads the older ones`, { tag: LONG }, async ({ page }) => {
    // One after another: events at the same time wait for each other's deliveries, which takes three times as long.
    for (let index = 0; index < total; index += 1) await emit();
    await open(page);
    const count = page.getByText(/^\d+\+? events$/);
    await expect(count).toHaveText('100+ events');
    await rows(page).focus();
    // Each press of End loads older events, unless some are still on their way.
    let shown = '100+ events';
    while (shown.includes('+')) {
      await expect(async () => {
        await page.keyboard.press('End');
        await expect(count).not.toHaveText(shown, { timeout: 1_000 });
      }).toPass();
      shown = (await count.textContent()) ?? '';
    }
    expect(Number.parseInt(shown, 10)).toBeGreaterThanOrEqual(total);
    expect(await rows(page).getByRole('option').count()).toBeLessThan(100);
  });
}
