import { sandboxScenario } from '@latchkey/sandbox';
import type { Locator, Page } from '@playwright/test';
import { LONG } from '../levels.js';
import { tabTo } from '../tab-to.js';
import { expect, recordPageErrors, test } from '../world.js';
import { expectAccessible, sharedSandbox } from './console-page.js';

const { publicClient, webhooks } = sandboxScenario;
const sandbox = sharedSandbox();
let pageErrors: string[];

test.beforeEach(async ({ context }) => {
  sandbox().control.faults.clear();
  pageErrors = await recordPageErrors(context);
});
test.afterEach(() => expect(pageErrors).toEqual([]));

const open = (page: Page, query = '') => page.goto(`${sandbox().baseUrl}/sandbox/faults${query}`);
const faults = (page: Page): Locator =>
  page.getByRole('region', { name: 'Faults in the order in which they apply' }).getByRole('listitem');
const add = (page: Page) => page.getByRole('button', { name: 'Add fault' }).click();
const callUserinfo = async () => (await fetch(`${sandbox().baseUrl}/oauth/userinfo`)).status;

/** Effects of the form, with the value of the field that they need. */
const EFFECTS = {
  latency: ['Milliseconds', '250', 'Latency 250 ms'],
  status: ['Status', '404', 'Error status 404'],
  reset: [undefined, '', 'Connection reset'],
  'answer-lost': [undefined, '', 'Answer lost after commit'],
  malformed: [undefined, '', 'Malformed body'],
  drip: ['Milliseconds', '900', 'Slow drip 900 ms'],
  duplicate: [undefined, '', 'Duplicate'],
  delay: ['Milliseconds', '60000', 'Delay 60000 ms'],
  reorder: [undefined, '', 'Reorder'],
  drop: [undefined, '', 'Drop'],
  'wrong-signature': [undefined, '', 'Wrong signature'],
} as const;

test('each effect is added by the form, and all are cleared together', async ({ page }) => {
  await open(page, '?effect=drop');
  await expect(page.getByLabel('Effect')).toHaveValue('drop');
  await expect(page.getByText('No faults.')).toBeVisible();
  // Deliveries of the sample data could use up a fault with a number.
  await page.getByLabel('Always').check();
  let count = 0;
  for (const [kind, [field, value, label]] of Object.entries(EFFECTS)) {
    await page.getByLabel('Effect').selectOption(kind);
    if (field !== undefined) await page.getByLabel(field).fill(value);
    await add(page);
    count += 1;
    await expect(faults(page)).toHaveCount(count);
    await expect(faults(page).last()).toContainText(label);
  }
  expect(sandbox().control.faults.list()).toHaveLength(count);
  await expect(page.getByText(`${count} faults are active:`)).toBeVisible();
  await page
    .getByRole('region', { name: /^Faults in/ })
    .getByRole('button', { name: 'Clear all faults' })
    .click();
  await expect(page.getByText('No faults.')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Faults in/ })).toBeFocused();
  expect(sandbox().control.faults.list()).toEqual([]);
});

test('limits and targets narrow a fault, and errors are shown beside their fields', { tag: LONG }, async ({
  page,
}) => {
  await open(page);
  await page.getByLabel('Endpoint').selectOption('token');
  await page.getByLabel(/^Client id/).fill(publicClient.clientId);
  await page.getByLabel('Status').fill('99');
  await page.getByLabel('A share').check();
  await page.getByLabel('Share from 0 to 1').fill('2');
  await add(page);
  for (const label of ['Status', 'Share from 0 to 1']) {
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(/\w/);
  }
  expect(sandbox().control.faults.list()).toEqual([]);
  await page.getByLabel('Status').fill('500');
  await page.getByLabel('Share from 0 to 1').fill('0.5');
  await page.getByLabel(/^Seed/).fill('7');
  await add(page);
  await expect(faults(page)).toContainText(`token, ${publicClient.clientId} · share 0.5, seed 7`);
  await page.getByLabel('Effect').selectOption('delay');
  await expect(page.getByLabel('Milliseconds'), 'a typed status is no duration').toHaveValue('2000');
  await page.getByLabel('Event').selectOption('membership.created');
  await page.getByLabel('Webhook', { exact: true }).selectOption(webhooks.community.id);
  await page.getByLabel('Always').check();
  await add(page);
  await expect(page.getByText('It changes deliveries from now on.')).toBeVisible();
  await expect(faults(page).last()).toContainText(
    `membership.created, webhook ${webhooks.community.id} · always`,
  );
  await expectAccessible(page);
});

test('hits are counted live, a used-up fault leaves the banner, and one fault is cleared', async ({
  page,
}) => {
  await open(page);
  await add(page);
  await expect(faults(page)).toContainText('0 changed of 0 that matched');
  await expect(page.getByText('A fault is active: status 503, everything.')).toBeVisible();
  expect([await callUserinfo(), await callUserinfo()]).toEqual([503, 401]);
  await expect(faults(page)).toContainText('1 changed of 1 that matched');
  await expect(faults(page)).toContainText('used up');
  await expect(page.getByText('A fault is active')).toBeHidden();
  const other = sandbox().control.faults.add({ effect: { kind: 'reset' }, endpoint: 'token' });
  await expect(faults(page)).toHaveCount(2);
  await page.getByRole('button', { name: `Clear ${other.id}` }).click();
  await expect(page.getByText(`Removed ${other.id}.`)).toBeVisible();
  await expect(faults(page)).toHaveCount(1);
  expect(sandbox().control.faults.list()).toHaveLength(1);
});

test('the banner is on every view, leads to the faults, and clears them; a reset does too', {
  tag: LONG,
}, async ({ page }) => {
  sandbox().control.faults.add({ effect: { kind: 'malformed' } });
  await page.goto(`${sandbox().baseUrl}/sandbox/clock`);
  await page.getByRole('link', { name: 'Show faults' }).click();
  await expect(faults(page)).toHaveCount(1);
  await expect(page.getByText('A fault is active')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear all faults' })).toHaveCount(1);
  await page.goBack();
  await page.locator('console-fault-banner').getByRole('button', { name: 'Clear all faults' }).click();
  await expect(page.getByText('A fault is active')).toBeHidden();
  await open(page);
  await expect(page.getByText('No faults.')).toBeVisible();
  sandbox().control.faults.add({ effect: { kind: 'malformed' } });
  await expect(page.getByText('A fault is active')).toBeVisible();
  await sandbox().control.snapshots.reset();
  await expect(page.getByText('A fault is active')).toBeHidden();
  await expect(page.getByText('No faults.')).toBeVisible();
});

test('the keyboard alone adds a fault and clears it', { tag: LONG }, async ({ page }) => {
  await open(page);
  await page.getByLabel('Effect').focus();
  await page.keyboard.type('Malformed');
  await expect(page.getByLabel('Effect')).toHaveValue('malformed');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('dana@example.com');
  await page.keyboard.press('Enter');
  await expect(faults(page)).toContainText('all calls, dana@example.com');
  const clear = page.getByRole('button', { name: /^Clear fault_/ });
  await tabTo(page, clear);
  await page.keyboard.press('Enter');
  await expect(page.getByText('No faults.')).toBeVisible();
});
