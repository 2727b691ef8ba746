import { sandboxScenario } from '@latchkey/sandbox';
import { expectNoViolations } from './axe.js';
import { expect, openPopup, pickUser, test } from './world.js';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('no page of the popup sign-in and no state of the shop has an accessibility violation', async ({
      page,
      world,
    }) => {
      await page.goto(world.scriptTagShop.url);
      await expectNoViolations(page);
      const popup = await openPopup(page);
      await expectNoViolations(popup);
      await expectNoViolations(page);
      await popup.getByLabel(/e-?mail/i).fill('ada@example.com');
      await popup.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
      await expect(popup.getByLabel(/code/i)).toBeVisible();
      await expectNoViolations(popup);
      await popup.goBack();
      await pickUser(popup, 'ada@example.com');
      await expect(popup.getByRole('button', { name: 'Allow' })).toBeVisible();
      await expectNoViolations(popup);
      await popup.getByRole('button', { name: 'Allow' }).click();
      await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
      await expectNoViolations(page);
    });

    test('the pages of account, sandbox, callback and errors have no accessibility violation', async ({
      page,
      world,
    }) => {
      await page.goto(`${world.backendShop.url.replace(/\/$/, '')}/table`);
      await pickUser(page, 'ben@example.com');
      await page.getByRole('button', { name: 'Allow' }).click();
      await expect(page.getByRole('main')).toContainText(/member/i);
      await expectNoViolations(page);
      for (const path of [
        '/account',
        '/sandbox',
        '/sandbox/mailbox',
        `/widget/callback/${sandboxScenario.publicClient.clientId}`,
        '/no-such-page',
      ]) {
        await page.goto(`${world.service.baseUrl}${path}`);
        await expectNoViolations(page);
      }
      await page.goto(world.backendShop.url);
      await expect(page.locator('latchkey-login').first()).toContainText('ben@example.com');
      await expectNoViolations(page);
    });

    test('the developer area has no accessibility violation', async ({ page, world }) => {
      await page.goto(`${world.service.baseUrl}/developer`);
      await pickUser(page, sandboxScenario.users.dana.email);
      const client = `/developer/clients/${sandboxScenario.confidentialClient.clientId}`;
      for (const path of [
        '/developer',
        '/developer/api-keys',
        '/developer/clients',
        client,
        `${client}/delete`,
        '/developer/webhooks',
      ]) {
        await page.goto(`${world.service.baseUrl}${path}`);
        await expectNoViolations(page);
      }
    });

    test('the developer area’s forms, their errors and a shown secret have no accessibility violation', async ({
      page,
      world,
    }) => {
      await page.goto(`${world.service.baseUrl}/developer`);
      await pickUser(page, sandboxScenario.users.dana.email);
      for (const path of ['/developer/clients/new', '/developer/webhooks/new', '/developer/api-keys/new']) {
        await page.goto(`${world.service.baseUrl}${path}`);
        await page.locator('form.form button').click();
        await expect(page.getByRole('alert')).toBeFocused();
        await expectNoViolations(page);
      }
      await page.getByLabel('Name').fill('Door');
      await page.getByLabel('MEMBERSHIP_READ').check();
      await page.locator('form.form button').click();
      await expect(page.getByLabel('API key')).toBeVisible();
      await expectNoViolations(page);
    });

    test('the account area has no accessibility violation', async ({ page, world }) => {
      await page.goto(`${world.service.baseUrl}/account`);
      await pickUser(page, sandboxScenario.users.ada.email);
      for (const path of ['/account', '/account/profile', '/account/sessions']) {
        await page.goto(`${world.service.baseUrl}${path}`);
        await expectNoViolations(page);
      }
    });
  });
}
