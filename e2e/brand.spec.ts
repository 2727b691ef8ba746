import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { LONG } from './levels.js';
import { openCheckout } from './open-checkout.js';
import { expect, openPopup, signInAtService, test } from './world.js';

const { community, publicClient, users } = sandboxScenario;

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#7a1fa2" d="M0 0h8v8H0z"/></svg>';
const LOGO = `data:image/svg+xml,${encodeURIComponent(SQUARE)}`;
const PURPLE = 'rgb(122, 31, 162)';

/** Chooses a logo and an accent of one's own. */
async function fillBrand(page: Page, { logo = LOGO, accent = '#7a1fa2' } = {}): Promise<void> {
  await page.getByLabel('Logo (optional)').fill(logo);
  await page.getByLabel('Own colour', { exact: true }).first().check();
  await page.locator('#accent').fill(accent);
}

const backgroundOf = (page: Page, button: string) =>
  page.getByRole('button', { name: button }).evaluate((element) => getComputedStyle(element).backgroundColor);

test('a seller tries a brand, saves it, and it appears on the public page and at the checkout', async ({
  page,
  world,
}) => {
  await signInAtService(page, world, users.dana.name);
  const { baseUrl } = world.service;
  await page.goto(`${baseUrl}/seller/communities/${community.id}`);
  await page.getByRole('link', { name: 'Brand', exact: true }).click();

  await fillBrand(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('status').first()).toHaveText('This is a preview. Nothing is saved yet.');
  await expect(
    page.getByAltText('A button and a link in #7a1fa2, on a light and on a dark page'),
  ).toBeVisible();
  await expectNoViolations(page);
  const isShown = (address: string) =>
    page.goto(address).then(() => page.locator(`img[src="${LOGO}"]`).count());
  expect(await isShown(`${baseUrl}/communities/${community.id}`)).toBe(0);

  await page.goto(`${baseUrl}/seller/communities/${community.id}/brand`);
  await fillBrand(page);
  await page.getByRole('button', { name: 'Save brand' }).click();
  await expect(page.getByRole('status').first()).toHaveText(/^Brand saved\./);
  expect(await isShown(`${baseUrl}/communities/${community.id}`)).toBe(1);
  expect(await backgroundOf(page, 'Buy Monthly')).toBe(PURPLE);
  await expectNoViolations(page);
  const shop = await world.site(() => '');
  const checkout = await openCheckout(world, { successUrl: `${shop.origin}/thanks`, cancelUrl: shop.url });
  expect(await isShown(checkout)).toBe(1);
  expect(await backgroundOf(page, 'Pay €9.00')).toBe(PURPLE);
  await expectNoViolations(page);
});

test('a rejected logo is explained at its field, which keeps the input', { tag: LONG }, async ({
  page,
  world,
}) => {
  await signInAtService(page, world, users.dana.name);
  await page.goto(`${world.service.baseUrl}/seller/communities/${community.id}/brand`);
  await fillBrand(page, { logo: 'http://shop.example/logo.png' });
  await page.getByRole('button', { name: 'Save brand' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Nothing was saved' });
  await expect(summary).toBeFocused();
  await summary.getByRole('link').click();
  await expect(page.getByLabel('Logo (optional)')).toBeFocused();
  await expect(page.getByLabel('Logo (optional)')).toHaveValue('http://shop.example/logo.png');
  await expect(page.locator('#accent')).toHaveValue('#7a1fa2');
  await expectNoViolations(page);
});

test('an app’s brand appears in its sign-in window, and the name of the service is refused', async ({
  page,
  world,
}) => {
  await signInAtService(page, world, users.dana.name);
  await page.goto(`${world.service.baseUrl}/developer/clients/${publicClient.clientId}/edit`);
  await page.getByLabel('Name', { exact: true }).fill('Latchkey Coffee');
  await fillBrand(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Nothing was saved' });
  await expect(summary).toBeFocused();
  await summary
    .getByRole('link', { name: 'Enter a name that does not contain “Latchkey”, the name of this service.' })
    .click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(page.locator('#accent')).toHaveValue('#7a1fa2');
  await expectNoViolations(page);

  await page.getByLabel('Name', { exact: true }).fill('Corner Coffee');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Corner Coffee' })).toBeVisible();
  await page.context().clearCookies();
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  await expect(popup.getByRole('heading', { name: 'Sign in to Corner Coffee' })).toBeVisible();
  await expect(popup.locator(`img[src="${LOGO}"]`)).toBeVisible();
  expect(await backgroundOf(popup, 'E-mail me a code')).toBe(PURPLE);
  await expectNoViolations(popup);
});
