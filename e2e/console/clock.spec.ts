import { sandboxScenario } from '@latchkey/sandbox';
import type { Locator, Page } from '@playwright/test';
import { JOURNEY, LONG } from '../levels.js';
import { tabTo } from '../tab-to.js';
import { expect, recordPageErrors, test } from '../world.js';
import { expectAccessible, sharedSandbox } from './console-page.js';

const { community, users } = sandboxScenario;
const sandbox = sharedSandbox();
const DAY = 24 * 3600_000;
let pageErrors: string[];

test.beforeEach(async ({ context }) => {
  await sandbox().control.snapshots.reset();
  pageErrors = await recordPageErrors(context);
});
test.afterEach(() => expect(pageErrors).toEqual([]));

const open = (page: Page) => page.goto(`${sandbox().baseUrl}/sandbox/clock`);
const results = (page: Page): Locator => page.getByRole('region', { name: 'What happened' });
const ahead = () => sandbox().control.clock.read().aheadMs;

/** A move takes some time of the machine, by which the clock is less ahead. */
const SLACK = 30_000;

/** Grants Ben a membership that ends after some days. */
async function grant(days: number): Promise<string> {
  const { id } = await sandbox().operator.grantMembership({
    ...{ userId: users.ben.id, productType: 'community', communityId: community.id },
    validUntil: sandbox().clock.now() + days * DAY,
  });
  return id;
}

test('each step moves the clock, and the page says by how much', async ({ page }) => {
  await open(page);
  await expect(page.getByText('The clock runs with the machine.')).toBeVisible();
  for (const [name, ms] of [
    ['+1 minute', 60_000],
    ['+1 hour', 3600_000],
    ['+1 day', DAY],
    ['+1 week', 7 * DAY],
    ['+1 month', 28 * DAY],
  ] as const) {
    const before = ahead();
    await page.getByRole('button', { name, exact: true }).click();
    await expect.poll(ahead).toBeGreaterThan(before + ms - SLACK);
    await expect(page.getByRole('button', { name, exact: true })).toBeEnabled();
  }
  await expect(page.getByText(/^The clock is ahead of the machine: 3\d d 1 h/)).toBeVisible();
  await page.getByRole('link', { name: 'reset', exact: true }).click();
  await expect(page).toHaveURL(/\/sandbox\/snapshots$/);
});

test('an instant ahead is reached, and one that has passed is refused', { tag: LONG }, async ({ page }) => {
  await open(page);
  const instant = page.getByLabel('Instant in UTC, up to ten years ahead');
  const year = new Date(sandbox().clock.now()).getUTCFullYear() + 1;
  await instant.fill(`${year}-03-04T05:06`);
  await page.getByRole('button', { name: 'Move to this instant' }).click();
  await expect.poll(() => sandbox().clock.now()).toBeGreaterThanOrEqual(Date.UTC(year, 2, 4, 5, 6));
  await expect(instant).toHaveAttribute('min', `${year}-03-04T05:06`);
  const reached = sandbox().clock.now();
  await instant.fill(`${year}-01-01T00:00`);
  await page.getByRole('button', { name: 'Move to this instant' }).click();
  await expect(instant).toHaveJSProperty('validity.rangeUnderflow', true);
  await instant.fill(`${year + 30}-01-01T00:00`);
  await page.getByRole('button', { name: 'Move to this instant' }).click();
  await expect(page.locator('console-app .notice')).toContainText('at most ten years ahead');
  expect(sandbox().clock.now() - reached).toBeLessThan(DAY);
});

test('a preset moves to the data, and what happened leads to its entries', { tag: JOURNEY }, async ({
  page,
}) => {
  await open(page);
  await expect(page.getByRole('button', { name: 'Refresh token expires' })).toBeDisabled();
  await expect(page.getByText('No refresh token is valid.')).toBeVisible();
  await grant(3);
  await page.getByRole('button', { name: 'Next end of a membership' }).click();
  await expect(results(page)).toContainText(`The membership of ${users.ben.email} (${community.name}) ends.`);
  expect(ahead()).toBeGreaterThan(2 * DAY);
  await expectAccessible(page);
  await results(page)
    .getByRole('link', { name: /^Membership/ })
    .first()
    .click();
  await expect(page.locator('record-detail')).toContainText('expired');
  await page.goBack();
  await results(page)
    .getByRole('link', { name: /^Event/ })
    .last()
    .click();
  await expect(page.getByRole('region', { name: /^Event membership/ })).toBeVisible();
  await open(page);
  await page.getByRole('button', { name: 'Next drop opens' }).click();
  await results(page).getByRole('link', { name: /^Drop/ }).first().click();
  await expect(page.locator('record-detail').getByRole('heading', { level: 2 })).toBeVisible();
});

test('one membership is followed to its end, and an unknown one is named', { tag: LONG }, async ({
  page,
}) => {
  const id = await grant(5);
  await open(page);
  await page.getByLabel('Membership id').fill(id);
  await page.getByRole('button', { name: 'To its next renewal' }).click();
  await expect(page.locator('console-app .notice')).toContainText(/\w/);
  expect(ahead()).toBe(0);
  await page.getByRole('button', { name: 'To its end' }).click();
  await expect(results(page)).toContainText(`The membership of ${users.ben.email} (${community.name}) ends.`);
  await page.getByLabel('Membership id').fill('nothing');
  await page.getByRole('button', { name: 'To its end' }).click();
  await expect(page.locator('console-app .notice')).toContainText(/membership/);
});

test('moves of others and resets appear by themselves, and the keyboard alone moves the clock', {
  tag: LONG,
}, async ({ page }) => {
  await open(page);
  await expect(page.getByText('The clock runs with the machine.')).toBeVisible();
  await sandbox().control.clock.advance(2 * DAY);
  await expect(page.getByText('The clock is ahead of the machine: 2 d')).toBeVisible();
  await sandbox().control.snapshots.reset();
  await expect(page.getByText('The clock runs with the machine.')).toBeVisible();
  const step = page.getByRole('button', { name: '+1 day' });
  await tabTo(page, step);
  await page.keyboard.press('Enter');
  await expect.poll(ahead).toBeGreaterThan(DAY - SLACK);
  await expect(page.getByText(/^The clock is at /)).toBeVisible();
});
