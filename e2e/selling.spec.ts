import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { JOURNEY, LONG } from './levels.js';
import { openSellingSite, type SellingSite } from './selling-site.js';
import { test as base, expect, pickUser } from './world.js';

const { users } = sandboxScenario;

const test = base.extend<{ site: SellingSite }>({
  site: async ({ world }, use) => {
    const site = await openSellingSite(world);
    await use(site);
    site.close();
  },
});

/** Opens the members' page, signs in on the way, and goes on to the page that sells. */
async function goToJoin(page: Page, site: SellingSite, email: string): Promise<void> {
  await page.goto(`${site.origin}/members`);
  await pickUser(page, email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('heading', { name: 'This page is for members' })).toBeVisible();
  await page.getByRole('link', { name: 'Get access' }).click();
}

const order = (page: Page) => page.getByRole('button', { name: 'Monthly: €9 per month' }).click();
const table = (page: Page) => page.getByRole('heading', { name: 'The table is set' });

test('a visitor signs in, buys, comes back, and the gate opens [webhook.payment-success]', {
  tag: JOURNEY,
}, async ({ page, site }) => {
  await goToJoin(page, site, users.ben.email);
  await order(page);
  await expect(page.getByRole('main')).toContainText('b•••@example.com');
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(table(page)).toBeVisible();
  await expect(page).toHaveURL(`${site.origin}/members`);

  // The chat of the community, by a link for this buyer.
  await page.getByRole('link', { name: 'Join the chat' }).click();
  await expect(page).toHaveURL(/\/messenger\//);

  // A second purchase leads to the members' page in place of the payment page.
  await page.goto(`${site.origin}/join`);
  await order(page);
  await expect(page.getByRole('heading', { name: 'You are already a member' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(table(page)).toBeVisible();
});

test('a signed-out visitor signs in first and returns to the plans', async ({ page, site }) => {
  await page.goto(`${site.origin}/join`);
  await order(page);
  await pickUser(page, users.ben.email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(`${site.origin}/join`);
  await order(page);
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(table(page)).toBeVisible();
});

test('a visitor whose card is declined cancels, stays outside, and tries again [webhook.payment-failed]', async ({
  page,
  site,
}) => {
  await goToJoin(page, site, users.ben.email);
  await order(page);
  await page.getByLabel('Test card ending in 0002').check();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page.getByRole('alert')).toContainText('Your card was declined and nothing was charged');
  await page.getByRole('link', { name: /cancel and go back/i }).click();
  await expect(page.getByRole('heading', { name: 'Payment cancelled' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Nothing was charged.');
  await expectNoViolations(page);

  const outside = await page.request.get(`${site.origin}/members`, {
    headers: { accept: 'application/json' },
  });
  expect(outside.status()).toBe(403);

  // The form leaves the site, which the policy of the page allows.
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(table(page)).toBeVisible();
});

test('a visitor who cancels goes back to the plans', { tag: LONG }, async ({ page, site }) => {
  await goToJoin(page, site, users.ben.email);
  await order(page);
  await page.getByRole('link', { name: /cancel and go back/i }).click();
  await page.getByRole('link', { name: 'Go back' }).click();
  await expect(page).toHaveURL(`${site.origin}/join`);
});

test('a double click opens one checkout, and a second tab pays nothing twice', { tag: LONG }, async ({
  page,
  context,
  site,
}) => {
  await goToJoin(page, site, users.ben.email);
  const other = await context.newPage();
  await other.goto(`${site.origin}/join`);
  await page.getByRole('button', { name: 'Monthly: €9 per month' }).dblclick();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(table(page)).toBeVisible();
  await order(other);
  await expect(other.getByRole('heading', { name: 'You are already a member' })).toBeVisible();
});
