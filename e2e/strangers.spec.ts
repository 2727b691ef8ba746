import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { JOURNEY, longIf } from './levels.js';
import { expect, pickUser, signInAtService, signInWithPopup, test, type World } from './world.js';

const { users } = sandboxScenario;

/** Opens a community of Ben's own, in which he is a member. */
async function becomeSeller(page: Page, world: World): Promise<void> {
  await signInAtService(page, world, 'Ben Visitor');
  await page.goto(`${world.service.baseUrl}/seller/communities/new`);
  await page.getByLabel('Name', { exact: true }).fill('Ben and nobody else');
  await page.getByRole('button', { name: 'Create community' }).click();
  await page
    .getByRole('navigation', { name: 'seller area' })
    .getByRole('link', { name: 'Members', exact: true })
    .click();
  await page.getByRole('link', { name: 'Invite a member' }).first().click();
  await page.getByLabel('E-mail address').fill(users.ben.email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.goto(`${world.service.baseUrl}/account`);
  await expect(page.getByRole('region', { name: 'Memberships', exact: true })).toContainText(
    'Ben and nobody else',
  );
  await page.context().clearCookies();
}

const STRANGERS: [who: string, email: string, prepare: typeof becomeSeller][] = [
  ['a member of another seller’s community', users.eve.email, async () => {}],
  ['the member of a community of their own', users.ben.email, becomeSeller],
];

for (const [who, email, prepare] of STRANGERS) {
  test(
    `${who} stays outside in every gate of the shop with a script tag`,
    longIf(email === users.ben.email),
    async ({ page, world }) => {
      await prepare(page, world);
      await page.goto(world.scriptTagShop.url);
      await signInWithPopup(page, email);
      await expect(page.locator('latchkey-login').first()).toContainText(email);
      for (const gate of await page.locator('latchkey-gate').all())
        await expect(gate).toHaveJSProperty('state', 'locked');
      await expect(page.getByText('Your place is laid')).toBeHidden();
    },
  );

  test(`${who} stays outside in every gate of the shop with a backend`, {
    tag: email === users.eve.email ? JOURNEY : [],
  }, async ({ page, world }) => {
    await prepare(page, world);
    const base = world.backendShop.url;
    await page.goto(base);
    await signInWithPopup(page, email);
    await expect(page.locator('latchkey-login').first()).toContainText(email);
    await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', 'locked');
    const table = await page.goto(`${base}/table`);
    expect(table?.status()).toBe(403);
    await expect(page.getByText('Your place is laid')).toBeHidden();
    const api = await page.request.get(`${base}/api/table`);
    expect(api.status()).toBe(403);
    expect(await api.json()).toMatchObject({ error: 'membership_unknown' });
  });
}

test('whoever pays in the shop with a backend is let in, without scripts too', async ({ browser, world }) => {
  const base = world.backendShop.url;
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${base}/table`);
  await pickUser(page, users.ben.email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('button', { name: 'Join for €9 a month' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page).toHaveURL(`${base}/table`);
  await expect(page.getByRole('main')).toContainText(`Your place is laid, ${users.ben.email}`);
  await page.context().close();
});
