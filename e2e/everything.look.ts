import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { LOOKS, takePicture as savePicture } from './looks.js';
import { inviteLinkOfBuyer, openCheckout } from './open-checkout.js';
import { expect, openPopup, pickUser, signInAtService, test } from './world.js';

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ colorScheme: look.colorScheme, viewport: { width: look.width, height: 860 } });

    const takePicture = (page: Page, name: string, options = {}) => savePicture(page, name, look, options);

    test('shop and popup', async ({ page, world }) => {
      await page.goto(world.scriptTagShop.url);
      await expect(page.locator('latchkey-gate').first()).toHaveJSProperty('state', 'signed-out');
      await takePicture(page, '01-shop-signed-out');
      const popup = await openPopup(page);
      await takePicture(popup, '02-sign-in');
      await takePicture(page, '03-shop-waiting');
      await popup.getByLabel(/e-?mail/i).fill('ada@example.com');
      await popup.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
      await takePicture(popup, '04-code');
      await popup.goBack();
      await pickUser(popup, 'ada@example.com');
      await takePicture(popup, '05-consent');
      await popup.getByRole('button', { name: 'Decline' }).click();
      await expect(page.locator('latchkey-login').first()).toContainText(/declined|allow/i);
      await takePicture(page, '06-shop-declined');
      await page.reload();
      // The visitor is still signed in at the service, so it asks only for consent.
      const again = await openPopup(page);
      const closed = again.waitForEvent('close');
      await again.getByRole('button', { name: 'Allow' }).click();
      await closed;
      await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
      await takePicture(page, '07-shop-member');
      await page
        .locator('latchkey-login')
        .first()
        .getByRole('button', { name: /ada@example\.com|account/i })
        .click();
      await takePicture(page, '08-menu', { fullPage: false });
    });

    test('the shop with a backend', async ({ page, world }) => {
      const base = world.backendShop.url;
      const pictures = async (pages: readonly (readonly [string, string])[]) => {
        for (const [name, path] of pages) {
          await page.goto(`${base}${path}`);
          await takePicture(page, `14-${name}`);
        }
      };
      await pictures([
        ...([
          ['club', '/'],
          ['course', '/course'],
          ['free-lesson', '/course/the-fire'],
          ['locked-lesson', '/course/the-curve'],
        ] as const),
        ...([
          ['drop', '/drop'],
          ['not-found', '/no-such-page'],
        ] as const),
      ]);
      await page.goto(`${base}/auth/login?returnTo=%2Fcourse%2Fthe-curve`);
      await pickUser(page, 'ben@example.com');
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('button', { name: 'Join for €9 a month' }).click();
      await page.getByRole('button', { name: 'Pay €9.00' }).click();
      await expect(page.locator('video')).toBeVisible();
      await takePicture(page, '15-lesson');
      await page.goto(`${base}/table`);
      await expect(page.locator('#chat-state')).not.toBeEmpty();
      await takePicture(page, '15-table');
      await page.goto(`${base}/account`);
      await takePicture(page, '15-account');
      await page.getByRole('button', { name: 'How this works' }).click();
      await expect(page.locator('#how-calls li').first()).toBeVisible();
      await takePicture(page, '16-drawer', { fullPage: false });
    });

    test('seller area', async ({ page, world }) => {
      const { community, plans, dropSlot, memberships, products } = sandboxScenario;
      await signInAtService(page, world, 'Dana Owner');
      const base = `/seller/communities/${community.id}`;
      const product = `/seller/products/${products.brewGuide.id}`;
      for (const [name, path] of [
        ['home', '/seller'],
        ...['', 'plans', 'drops', 'members', 'sales', 'roles'].map((part) => [part, `${base}/${part}`]),
        ['community-new', '/seller/communities/new'],
        ...['plans', 'drops', 'members', 'roles'].map((part) => [`${part}-new`, `${base}/${part}/new`]),
        ['members-ended', `${base}/members?status=ended`],
        ['plan', `${base}/plans/${plans.monthly.id}`],
        ['drop', `${base}/drops/${dropSlot.id}`],
        ['membership', `${base}/members/${memberships.adaCommunity.id}`],
        ['product', product],
        ['buyers', `${product}/buyers`],
        ['brand', `${base}/brand`],
        ['product-new', '/seller/products/new'],
      ]) {
        await page.goto(`${world.service.baseUrl}${path?.replace(/\/$/, '')}`);
        await takePicture(page, `20-seller-${name || 'community'}`);
      }
      const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
      const { operator } = world.service;
      const { id: userId } = await operator.createUser({ email: 'donau@example.com', name });
      await operator.assignRole({ communityId: community.id, userId, role: 'ADMIN' });
      await page.goto(`${world.service.baseUrl}${base}/roles`);
      await page.getByRole('button', { name: 'Change the role of Donau' }).click();
      await takePicture(page, '21-seller-long-name');
      await page.goto(`${world.service.baseUrl}${base}/plans/new`);
      await page.getByLabel('Name', { exact: true }).fill('Yearly');
      await page.getByLabel('Price').fill('1.000');
      await page.getByRole('button', { name: 'Create plan' }).click();
      await takePicture(page, '21-seller-faulty');
    });

    test('refusals and the rest', async ({ page, world }) => {
      await page.goto(`${world.backendShop.url}/table`);
      await pickUser(page, 'ben@example.com');
      await page.getByRole('button', { name: 'Allow' }).click();
      await takePicture(page, '10-backend-403');
      await page.goto(world.backendShop.url);
      await takePicture(page, '11-backend-signed-in');
      const pages = ['account', 'sandbox', 'sandbox/mailbox', 'sandbox/messenger', 'sandbox/webhooks'];
      for (const path of [
        ...pages,
        'reference',
        'docs',
        'docs/express',
        'docs/search?q=webhook',
        'no-such-page',
      ]) {
        await page.goto(`${world.service.baseUrl}/${path}`);
        await expect(page.getByText('Loading…')).toHaveCount(0);
        await takePicture(page, `12-${path.replaceAll('/', '-')}`);
      }
      const state = Buffer.from(JSON.stringify({ n: 'n', o: 'https://not-allowed.example' })).toString(
        'base64url',
      );
      await page.goto(
        `${world.service.baseUrl}/widget/callback/${sandboxScenario.publicClient.clientId}?code=x&state=${state}`,
      );
      await page.waitForTimeout(500);
      await takePicture(page, '13-callback-by-hand');
    });

    test('account and developer areas', async ({ page, world }) => {
      await page.goto(`${world.service.baseUrl}/developer`);
      await pickUser(page, sandboxScenario.users.dana.email);
      const client = `developer/clients/${sandboxScenario.confidentialClient.clientId}`;
      for (const [name, path] of [
        ['overview', 'developer'],
        ['keys', 'developer/api-keys'],
        ['apps', 'developer/clients'],
        ['app', client],
        ['app-edit', `${client}/edit`],
        ['app-delete', `${client}/delete`],
        ['webhooks', 'developer/webhooks'],
        ['app-new', 'developer/clients/new'],
        ['webhook-new', 'developer/webhooks/new'],
        ['account', 'account'],
        ['account-profile', 'account/profile'],
        ['account-export', 'account/export'],
        ['account-delete', 'account/delete'],
        ['account-sessions', 'account/sessions'],
      ] as const) {
        await page.goto(`${world.service.baseUrl}/${path}`);
        await takePicture(page, `20-${name}`);
      }
      await page.goto(`${world.service.baseUrl}/developer/api-keys/new`);
      await page.getByRole('button', { name: 'Create key' }).click();
      await takePicture(page, '21-key-refused');
      await page.getByLabel('Name').fill('Door');
      await page.getByLabel('MEMBERSHIP_READ').check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await takePicture(page, '22-key-shown');
    });

    test('buying, its mail and its webhook', async ({ page, world }) => {
      const { plans, products, community, users, webhooks } = sandboxScenario;
      const shop = await world.site(() => '');
      const successUrl = `${shop.origin}/thanks`;
      // The address opens nothing, so that the page before it stays.
      await page.route(successUrl, (route) => route.abort('aborted'));
      const returns = { successUrl, cancelUrl: shop.url };
      await page.goto(`${world.service.baseUrl}/products/${products.roastingCourse.id}`);
      await takePicture(page, '30-product');
      await page.goto(`${world.service.baseUrl}/communities/${community.id}`);
      await takePicture(page, '30-community');
      await page.goto(await openCheckout(world, { ...returns, pricingPlanId: plans.lifetime.id }));
      await takePicture(page, '31-crypto');
      await page.goto(await openCheckout(world, returns));
      await takePicture(page, '32-card');
      await page.getByLabel('Test card ending in 0002').check();
      await page.getByRole('button', { name: 'Pay €9.00' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await takePicture(page, '32-declined');
      await page.getByLabel('Test card ending in 4242').check();
      await page.getByRole('button', { name: 'Pay €9.00' }).click();
      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
      await takePicture(page, '33-paid');
      await page.goto(await inviteLinkOfBuyer(world));
      await takePicture(page, '34-invite');

      await page.goto(`${world.service.baseUrl}/sign-in`);
      await page.getByLabel(/e-?mail/i).fill(users.dana.email);
      await page.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
      await page.goto(`${world.service.baseUrl}/sandbox/mailbox`);
      await page.getByRole('main').getByRole('link').first().click();
      await takePicture(page, '35-mail');
      await page.goto(`${world.service.baseUrl}/signed-out`);
      await takePicture(page, '36-signed-out');

      await signInAtService(page, world, users.dana.name);
      await page.goto(`${world.service.baseUrl}/developer/webhooks/${webhooks.community.id}`);
      await takePicture(page, '37-webhook');
      await page.getByRole('button', { name: 'Reveal secret' }).click();
      await takePicture(page, '37-secret-shown');
      await page.goto(`${world.service.baseUrl}/developer/webhooks/${webhooks.community.id}`);
      await page.getByRole('region', { name: 'Recent deliveries' }).getByRole('link').first().click();
      await takePicture(page, '38-delivery');
    });
  });
}
