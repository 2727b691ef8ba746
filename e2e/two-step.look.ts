import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { appCode, readSecret } from './authenticator-app.js';
import { LOOKS, takePicture as savePicture } from './looks.js';
import { expect, openPopup, signInAtService, test } from './world.js';

const { ada } = sandboxScenario.users;
const MINUTE_MS = 60_000;

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ colorScheme: look.colorScheme, viewport: { width: look.width, height: 860 } });

    const takePicture = (page: Page, name: string) => savePicture(page, name, look);

    test('two-step sign-in', async ({ page, world }) => {
      const { baseUrl, mailbox } = world.service;
      const code = (secret: string) => appCode(secret, world.clock.now());
      await signInAtService(page, world, ada.name);
      for (const section of ['', '/profile', '/sessions']) {
        await page.goto(`${baseUrl}/account${section}`);
        await takePicture(page, `70-account${section.replace('/', '-')}`);
      }
      await page.goto(`${baseUrl}/account/two-step`);
      await takePicture(page, '70-two-step-off');
      await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
      const secret = await readSecret(page);
      await takePicture(page, '70-two-step-set-up');
      await page.getByLabel('Six-digit code').fill('000');
      await page.locator('form[action$="/confirm"]').evaluate((form: HTMLFormElement) => form.submit());
      await takePicture(page, '70-two-step-wrong-code');
      await page.getByLabel('Six-digit code').fill(code(secret));
      await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
      await takePicture(page, '71-recovery-codes');
      await page.getByRole('link', { name: 'I have saved the codes' }).click();
      await takePicture(page, '71-two-step-on');
      for (const change of ['turn-off', 'recovery-codes']) {
        await page.goto(`${baseUrl}/account/two-step/${change}`);
        await takePicture(page, `71-two-step-${change}`);
      }
      await page.goto(`${baseUrl}/account/export`);
      await takePicture(page, '71-export-with-code');
      await page.goto(`${baseUrl}/sandbox/mailbox`);
      await takePicture(page, '72-mailbox-with-app-code');
      await page.goto(`${baseUrl}/account`);
      await page.getByRole('button', { name: 'Sign out' }).click();

      world.clock.advance(MINUTE_MS);
      await page.goto(world.scriptTagShop.url);
      const popup = await openPopup(page);
      await popup.getByLabel(/e-?mail/i).fill(ada.email);
      await popup.getByRole('button', { name: 'E-mail me a code' }).click();
      await popup.getByLabel('Six-digit code').fill(mailbox.codeFor(ada.email) ?? '');
      await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
      await takePicture(popup, '73-second-step');
      await popup.getByLabel('Code from your app').fill('000000');
      await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
      await takePicture(popup, '73-second-step-wrong');
      await popup.getByRole('link', { name: 'Use a recovery code' }).click();
      await takePicture(popup, '73-second-step-recovery');
    });

    test('people of several scenarios', async ({ page, world }) => {
      const { baseUrl, control } = world.service;
      for (const scenario of ['lapsing-memberships', 'failing-payments', 'stranger'] as const)
        await control.scenarios.add(scenario);
      await page.goto(`${baseUrl}/sandbox`);
      await takePicture(page, '74-people-front-page');
      await page.goto(world.scriptTagShop.url);
      const popup = await openPopup(page);
      await takePicture(popup, '74-people');
      await popup.getByText('Memberships that end').click();
      await expect(popup.getByRole('button', { name: 'mia@example.com' })).toBeVisible();
      await takePicture(popup, '74-people-open');
    });

    test('gallery', async ({ page, world }) => {
      const scheme = look.colorScheme === 'dark' ? 'dark' : 'light';
      const lang = look.language === 'arabic' ? 'ar' : '';
      for (const element of ['login', 'gate', 'plans', 'join', 'variants']) {
        const query = new URLSearchParams({ scheme, lang, element });
        await page.goto(`${world.scriptTagShop.url}/gallery?${query}`);
        await expect(page.locator('html')).toHaveAttribute('data-ready', '');
        await takePicture(page, `75-gallery-${element}`);
      }
    });
  });
}
