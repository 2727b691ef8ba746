import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { JOURNEY } from './levels.js';
import { openSellingSite, type SellingSite } from './selling-site.js';
import { test as base, expect, loginOf, pickUser, signInWithPopup, waitForService } from './world.js';

const { users } = sandboxScenario;

const test = base.extend<{ site: SellingSite }>({
  site: async ({ world }, use) => {
    const site = await openSellingSite(world);
    await use(site);
    site.close();
  },
});

/** The plans of the page itself. A locked gate contains others. */
const plans = (page: Page) => page.locator('main > latchkey-plans');
const join = (page: Page) => plans(page).getByRole('button', { name: 'Join Monthly' });
const table = (page: Page) => page.getByText('The table is set');

async function expectPlanMarked(page: Page): Promise<void> {
  const card = plans(page).getByRole('listitem').filter({ hasText: 'Monthly' });
  await expect(card).toContainText('Your plan');
  await expect(card.getByRole('link', { name: 'Open Monthly' })).toHaveAttribute('href', '/plans');
  const other = plans(page).getByRole('listitem').filter({ hasText: 'For life' });
  // A membership of a month can be extended for life.
  await expect(other.getByRole('button', { name: 'Buy For life' })).toBeVisible();
}

test('a signed-out visitor signs in by popup, buys, comes back, and finds gate open and plan marked', {
  tag: JOURNEY,
}, async ({ page, site }) => {
  await page.goto(`${site.origin}/plans`);
  await expect(plans(page).getByRole('listitem')).toHaveCount(2);
  await expect(table(page)).toBeHidden();
  await expectNoViolations(page);
  const opened = page.waitForEvent('popup');
  await join(page).click();
  const popup = await opened;
  await pickUser(popup, users.ben.email);
  await popup.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page).toHaveURL(`${site.origin}/plans`);
  await expectPlanMarked(page);
  await expect(table(page)).toBeVisible();
});

test('a purchase whose window the visitor closed opens no checkout after a later sign-in', async ({
  page,
  site,
}) => {
  const checkouts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/checkout$/.test(request.url())) checkouts.push(request.url());
  });
  await page.goto(`${site.origin}/plans`);
  const opened = page.waitForEvent('popup');
  await join(page).click();
  const popup = await opened;
  // Chromium sometimes loses the end of a window whose first page is still loading.
  await waitForService(popup);
  await popup.close();
  await expect(plans(page)).toContainText('closed before you were done');
  // The plans show it, so the login element does not repeat it.
  await expect(loginOf(page)).not.toContainText('closed before you were done');
  await signInWithPopup(page, users.ben.email);
  await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', 'locked');
  await expect(join(page)).toBeVisible();
  await expect(page).toHaveURL(`${site.origin}/plans`);
  expect(checkouts).toEqual([]);
});

test('a blocked popup leads through the sign-in page, and the purchase continues', async ({ page, site }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${site.origin}/plans`);
  await join(page).click();
  await pickUser(page, users.ben.email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page).toHaveURL(`${site.origin}/plans`);
  await expectPlanMarked(page);
});

test('a locked gate offers the plans of its community, and a member is sold nothing twice', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin}/plans`);
  const opened = page.waitForEvent('popup');
  await page.locator('latchkey-gate').getByRole('button', { name: 'Sign in' }).click();
  const popup = await opened;
  await pickUser(popup, users.ben.email);
  await popup.getByRole('button', { name: 'Allow' }).click();
  const offer = page.locator('latchkey-gate latchkey-plans');
  await expect(offer.getByRole('listitem')).toHaveCount(2);
  const other = await page.context().newPage();
  await other.goto(`${site.origin}/plans`);
  await join(other).click();
  await other.getByRole('button', { name: 'Pay €9.00' }).click();
  await expectPlanMarked(other);
  // This page does not know it yet. The kit sells nothing twice, and the page looks up the membership.
  await page.locator('latchkey-gate').getByRole('button', { name: 'Join Monthly' }).click();
  await expect(table(page)).toBeVisible();
});
