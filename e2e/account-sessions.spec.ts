import { sandboxScenario } from '@latchkey/sandbox';
import type { Browser, Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { LONG } from './levels.js';
import { expect, signInAtService, test, type World } from './world.js';

const { ada, ben } = sandboxScenario.users;

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const LAPTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Signs Ada in with a browser of its own, without scripts: the page needs none. */
async function signInFrom(browser: Browser, world: World, userAgent: string): Promise<Page> {
  const page = await (await browser.newContext({ userAgent, javaScriptEnabled: false })).newPage();
  await signInAtService(page, world, ada.name);
  await page.goto(`${world.service.baseUrl}/account`);
  await expectSignedIn(page);
  return page;
}

async function expectSignedIn(page: Page): Promise<void> {
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
}

async function expectSignedOut(page: Page): Promise<void> {
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in\?/);
}

/** Opens the list by the menu of the account area. */
async function openSessions(page: Page, world: World): Promise<void> {
  await signInAtService(page, world, ada.name);
  await page.goto(`${world.service.baseUrl}/account`);
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Browsers' }).locator('tbody tr');

test('a user sees their browsers, and signs out of one of them', { tag: LONG }, async ({
  browser,
  page,
  world,
}) => {
  const phone = await signInFrom(browser, world, PHONE);
  const laptop = await signInFrom(browser, world, LAPTOP);
  await openSessions(page, world);
  await expect(rowsOf(page)).toHaveCount(3);
  const own = rowsOf(page).filter({ hasText: 'This browser' });
  await expect(own).toHaveCount(1);
  await expect(own.getByRole('button')).toHaveCount(0);
  await expectNoViolations(page);

  await rowsOf(page)
    .filter({ hasText: 'Safari on iPhone' })
    .getByRole('button', { name: /^Sign out of Safari on iPhone, signed in on / })
    .click();
  await expect(page.getByRole('status').first()).toHaveText('You are signed out of that browser.');
  await expect(rowsOf(page)).toHaveCount(2);
  await expect(page.getByRole('table', { name: 'Browsers' })).not.toContainText('iPhone');
  await expectNoViolations(page);
  await expectSignedOut(phone);
  await expectSignedIn(laptop);
});

test('a user signs out of all other browsers, then of this one too', async ({ browser, page, world }) => {
  const phone = await signInFrom(browser, world, PHONE);
  const laptop = await signInFrom(browser, world, LAPTOP);
  const stranger = await (await browser.newContext()).newPage();
  await signInAtService(stranger, world, ben.name);
  await stranger.goto(`${world.service.baseUrl}/account`);
  await openSessions(page, world);

  await page.getByRole('button', { name: 'Sign out of all other browsers' }).click();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page)).toContainText('This browser');
  await expectNoViolations(page);
  await expectSignedOut(phone);
  await expectSignedOut(laptop);

  await page.getByRole('button', { name: 'Sign out of all browsers, including this one' }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  await page.goto(`${world.service.baseUrl}/account`);
  await expect(page).toHaveURL(/\/sign-in\?/);
  // Sessions of another user stay.
  await expectSignedIn(stranger);
});
