import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { LONG } from './levels.js';
import { openSellingSite } from './selling-site.js';
import { expect, pickUser, test } from './world.js';

const { community, users } = sandboxScenario;

test.use({ serviceNames: { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' } });

async function expectSignedOut(page: Page, membersPage: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
  const response = await page.request.get(membersPage, { headers: { accept: 'application/json' } });
  expect(response.status()).toBe(401);
}

test('a visitor signs in, buys, enters and signs out at a service with other names than the spec’s', {
  tag: LONG,
}, async ({ page, world }) => {
  const site = await openSellingSite(world);
  await page.goto(`${site.origin}/members`);
  await pickUser(page, users.ben.email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('heading', { name: 'This page is for members' })).toBeVisible();

  await page.getByRole('link', { name: 'Get access' }).click();
  await page.getByRole('button', { name: 'Monthly: €9 per month' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page.getByRole('heading', { name: 'The table is set' })).toBeVisible();

  // The gate opens for memberships that a verified webhook recorded.
  expect(site.delivered.map((headers) => headers['x-acme-event-type'])).toContain('payment.success');
  for (const headers of site.delivered) {
    expect(headers['x-acme-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(headers).not.toHaveProperty('x-svc-signature');
  }

  await page.getByRole('link', { name: 'Join the chat' }).click();
  await expect(page).toHaveURL(/\/messenger\//);
  await page.goto(`${site.origin}/members`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(page, `${site.origin}/members`);
  site.close();
});

test('the client provisions a messenger account and checks it, by the paths and the field of the names', async ({
  world,
}) => {
  const site = await openSellingSite(world);
  const account = { communityId: community.id, messengerUserId: 4711 };
  expect(await site.client.checkMessenger(account)).toMatchObject({ isActive: false });
  const granted = await site.client.provisionExternal({ ...account, externalOrderId: 'order-1' });
  expect(granted).toMatchObject({ status: 'created' });
  const { membershipId } = granted;
  expect(await site.client.checkMessenger(account)).toMatchObject({ isActive: true, membershipId });

  const { baseUrl } = world.service;
  const check = (path: string, key: string) =>
    fetch(`${baseUrl}/membership/${path}/${community.id}/4711`, {
      headers: { authorization: `Bearer ${key}` },
    });
  const key = `acme_${'sandbox'.repeat(6)}0`;
  expect((await check('check-telegram', key)).status).toBe(200);
  expect((await check('check-messenger', key)).status).toBe(404);
  expect((await check('check-telegram', sandboxScenario.apiKey)).status).toBe(401);
  site.close();
});

// The way of the first test, in the shop of the demo.
test('the demo’s backend shop sells and opens its table', { tag: LONG }, async ({ page, world }) => {
  const shop = world.backendShop.url;
  await page.goto(`${shop}/table`);
  await pickUser(page, users.ben.email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('heading', { name: 'This account has no seat yet' })).toBeVisible();
  await page.goto(`${shop}/#join`);
  await page.locator('#join').getByRole('button', { name: 'Join for €9 a month' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page.getByRole('heading', { name: /^This week’s table/ })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(page, `${shop}/table`);
});
