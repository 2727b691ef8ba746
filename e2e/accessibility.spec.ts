import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { violationsOf } from './axe.js';
import { LONG, longIf } from './levels.js';
import { expect, openPopup, pickUser, test } from './world.js';

// States that no link leads to. `all-pages.spec.ts` checks every page that links reach.

async function expectAccessible(page: Page): Promise<void> {
  expect.soft(await violationsOf(page), new URL(page.url()).pathname).toEqual([]);
}

// The other tests of this kind have pages in dark (`page-conditions.ts`), and the gallery has the widget in both schemes.
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });
    const isLong = colorScheme === 'dark';

    test(
      'no page of the popup sign-in and no state of the shop has an accessibility violation',
      longIf(isLong),
      async ({ page, world }) => {
        await page.goto(world.scriptTagShop.url);
        await expectAccessible(page);
        const popup = await openPopup(page);
        await expectAccessible(popup);
        await expectAccessible(page);
        await popup.getByLabel(/e-?mail/i).fill('ada@example.com');
        await popup.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
        await expect(popup.getByLabel(/code/i)).toBeVisible();
        await expectAccessible(popup);
        await popup.goBack();
        await pickUser(popup, 'ada@example.com');
        await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
        await expectAccessible(popup);
        await popup.getByRole('button', { name: 'Allow' }).click();
        await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
        await expectAccessible(page);
      },
    );

    test(
      'the members’ page of a shop and the callback have no accessibility violation',
      longIf(isLong),
      async ({ page, world }) => {
        await page.goto(`${world.backendShop.url}/table`);
        await pickUser(page, 'ben@example.com');
        await page.getByRole('button', { name: 'Allow' }).click();
        await expect(page.getByRole('main')).toContainText(/member/i);
        await expectAccessible(page);
        const callback = `/widget/callback/${sandboxScenario.publicClient.clientId}`;
        await page.goto(`${world.service.baseUrl}${callback}`);
        await expectAccessible(page);
        await page.goto(world.backendShop.url);
        await expect(page.locator('latchkey-login').first()).toContainText('ben@example.com');
        await expectAccessible(page);
      },
    );

    test('the developer area’s forms, their errors and a shown secret have no accessibility violation', {
      tag: LONG,
    }, async ({ page, world }) => {
      await page.goto(`${world.service.baseUrl}/developer`);
      await pickUser(page, sandboxScenario.users.dana.email);
      for (const [path, send] of [
        ['/developer/clients/new', 'Register app'],
        ['/developer/webhooks/new', 'Create webhook'],
        ['/developer/api-keys/new', 'Create key'],
      ] as const) {
        await page.goto(`${world.service.baseUrl}${path}`);
        await page.getByRole('button', { name: send }).click();
        await expect(page.getByRole('alert')).toBeFocused();
        await expectAccessible(page);
      }
      await page.getByLabel('Name').fill('Door');
      await page.getByLabel('MEMBERSHIP_READ').check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByLabel('API key')).toBeVisible();
      await expectAccessible(page);
    });
  });
}
