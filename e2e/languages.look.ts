import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { openAsOperator } from './authenticator-app.js';
import { LOOKS, takePicture as savePicture } from './looks.js';
import { openCheckout } from './open-checkout.js';
import { expect, pickUser, signInAtService, test, type World } from './world.js';

const { community, plans, publicClient, users } = sandboxScenario;

/** Address of the page that the widget opens in its popup. */
function popupAddress({ service, scriptTagShop }: World): string {
  const address = new URL(`${service.baseUrl}/oauth/authorize`);
  const state = JSON.stringify({ n: 'nonce', o: new URL(scriptTagShop.url).origin });
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: publicClient.clientId,
    redirect_uri: `${service.baseUrl}/widget/callback/${publicClient.clientId}`,
    scope: 'memberships.read',
    state: Buffer.from(state).toString('base64url'),
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString();
  return address.href;
}

for (const look of LOOKS.filter(({ name }) => ['light', 'dark', 'narrow'].includes(name))) {
  for (const locale of ['en', 'de', 'fr', 'es', 'pt', 'ja', 'ar']) {
    test.describe(`${look.name}, ${locale}`, () => {
      test.use({ locale, colorScheme: look.colorScheme, viewport: { width: look.width, height: 860 } });

      const takePicture = (page: Page, name: string) => savePicture(page, `60-${name}-${locale}`, look);

      test('popup, mail, consent', async ({ page, world }) => {
        const { width } = look;
        await page.setViewportSize({ width: Math.min(width, 480), height: 640 });
        await page.goto(popupAddress(world));
        await takePicture(page, 'sign-in');
        await page.locator('input[type=email]').fill(users.ben.email);
        await page.locator('input[type=email]').press('Enter');
        await expect(page.locator('input[autocomplete=one-time-code]')).toBeVisible();
        await takePicture(page, 'code');
        await page.goto(popupAddress(world));
        await pickUser(page, users.ben.email);
        await expect(page.locator('main form button').nth(1)).toBeVisible();
        await takePicture(page, 'consent');

        await page.setViewportSize({ width, height: 860 });
        await page.goto(`${world.service.baseUrl}/sandbox/mailbox`);
        await page.getByRole('main').getByRole('link').first().click();
        const address = await page.locator('iframe').first().getAttribute('src');
        const { href, searchParams } = new URL(address ?? '', page.url());
        const mail = await page.request.get(href.replace(`${searchParams}`, `scheme=${look.colorScheme}`));
        // Its address allows no scripts, and the picture waits for the page with one.
        await page.goto('about:blank');
        await page.setContent(await mail.text());
        await takePicture(page, 'mail');
      });

      test('checkout, receipt, account', async ({ page, world }) => {
        const { url } = await world.site(() => '');
        await page.route(url, (route) => route.abort('aborted'));
        await page.goto(await openCheckout(world, { successUrl: url, cancelUrl: url }));
        await takePicture(page, 'checkout');
        await page.locator('main form button[type=submit]').first().click();
        await expect(page.locator('main input[type=radio]')).toHaveCount(0);
        await takePicture(page, 'paid');
        await signInAtService(page, world, users.ada.name);
        for (const path of ['', '/payments', '/two-step']) {
          await page.goto(`${world.service.baseUrl}/account${path}`);
          await takePicture(page, `account${path.replace('/', '-')}`);
        }
      });

      test('operator area', async ({ page, world }) => {
        await openAsOperator(page, world, users.ada);
        for (const [name, path] of [
          ...[
            ['operator', ''],
            ['operator-audit', '/audit'],
            ['operator-users', '/users'],
            ['operator-user', `/users/${users.ada.id}`],
          ],
          ...[
            ['operator-plan-change', `/plans/${plans.monthly.id}/change`],
            ['operator-community-end', `/communities/${community.id}/end`],
            ['operator-new', '/operators/new'],
          ],
        ]) {
          await page.goto(`${world.service.baseUrl}/operator${path}`);
          await takePicture(page, `${name}`);
        }
      });
    });
  }
}
