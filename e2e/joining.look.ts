import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { LOOKS, takePicture as savePicture } from './looks.js';
import { openCheckout } from './open-checkout.js';
import { openSellingSite } from './selling-site.js';
import { expect, pickUser, signInAtService, test } from './world.js';

const { community, plans, users } = sandboxScenario;

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ colorScheme: look.colorScheme, viewport: { width: look.width, height: 860 } });

    const takePicture = (page: Page, name: string) => savePicture(page, name, look);

    test('joining through the kit', async ({ page, world }) => {
      const site = await openSellingSite(world);
      await page.goto(`${site.origin}/plans`);
      await expect(page.locator('latchkey-plans').first()).toHaveJSProperty('state', 'ready');
      await takePicture(page, '40-plans');
      await page.goto(`${site.origin}/members`);
      await pickUser(page, users.eve.email);
      // The button looks ready half a second after the page opens.
      await page.getByRole('button', { name: 'Allow' }).hover();
      await page.waitForTimeout(1000);
      await takePicture(page, '41-consent-by-redirect');
      await page.getByRole('button', { name: 'Allow' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await takePicture(page, '42-unknown-membership');
      await page.goto(`${site.origin}/gate`);
      await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', 'locked');
      await expect(page.locator('latchkey-gate latchkey-plans')).toHaveJSProperty('state', 'ready');
      await takePicture(page, '43-plans-in-a-locked-gate');
      await page.goto(`${site.origin}/join`);
      await page.getByRole('button', { name: 'Monthly: €9 per month' }).click();
      await page.getByRole('link', { name: /cancel and go back/i }).click();
      await takePicture(page, '44-payment-cancelled');
      const cancelled = new URL(page.url());
      cancelled.pathname = cancelled.pathname.replace('cancelled', 'return');
      await page.goto(cancelled.href, { waitUntil: 'commit' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await takePicture(page, '45-return-waits');
      await page.goto(`${site.origin}/join`);
      await page.getByRole('button', { name: 'Monthly: €9 per month' }).click();
      await page.getByRole('button', { name: 'Pay €9.00' }).click();
      await page.waitForURL(`${site.origin}/members`);
      await page.goto(`${site.origin}/join`);
      await page.getByRole('button', { name: 'Monthly: €9 per month' }).click();
      await takePicture(page, '46-already-a-member');
      await page.goto(`${site.origin}/plans`);
      await expect(page.locator('latchkey-plans [part~=badge]').first()).toBeVisible();
      await takePicture(page, '47-own-plan');
      site.close();
    });

    test('invitations', async ({ page, world }) => {
      await signInAtService(page, world, users.dana.name);
      await page.goto(`${world.service.baseUrl}/seller/communities/${community.id}/members`);
      for (const email of [users.ben.email, `a-very-long-address-${'x'.repeat(30)}@example.com`]) {
        await page.getByRole('link', { name: 'Invite a member' }).first().click();
        await page.getByLabel('E-mail address').fill(email);
        await page.getByRole('button', { name: 'Invite', exact: true }).click();
        await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email);
      }
      await takePicture(page, '50-invited');
      await page.context().clearCookies();
      await signInAtService(page, world, users.ben.name);
      await page.goto(`${world.service.baseUrl}/account`);
      await takePicture(page, '51-invitation');
      await page.getByRole('button', { name: /^Accept/ }).click();
      await takePicture(page, '52-accepted');
      await page.getByRole('link', { name: `Leave ${community.name}` }).click();
      await takePicture(page, '53-leave');
    });

    test('a plan for life that was paid in another tab', async ({ page, world }) => {
      const site = await world.site(() => '');
      const open = (externalId: string) =>
        openCheckout(world, {
          ...{ pricingPlanId: plans.lifetime.id, externalId },
          ...{ successUrl: `${site.origin}/thanks`, cancelUrl: site.url },
        });
      const [first, second] = [await open('tab-1'), await open('tab-2')];
      await page.route(`${site.origin}/thanks`, (route) => route.abort('aborted'));
      world.clock.advance(60_000);
      await page.goto(first);
      await page.getByRole('button', { name: 'Confirm that I sent it' }).click();
      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
      // The page that the buyer returns to can interrupt the navigation.
      await expect(() => page.goto(second)).toPass();
      await expect(page.getByRole('heading', { name: 'Already paid' })).toBeVisible();
      await takePicture(page, '63-paid-in-another-tab');
    });

    test('limits, foreign hosts and finished checkouts', async ({ page, world }) => {
      const { baseUrl } = world.service;
      const { port } = new URL(baseUrl);
      await page.goto(`http://elsewhere.localhost:${port}/account`);
      await takePicture(page, '60-foreign-host');
      const site = await world.site(() => '');
      const successUrl = `${site.origin}/thanks`;
      await page.route(successUrl, (route) => route.abort('aborted'));
      await page.goto(await openCheckout(world, { successUrl, cancelUrl: site.url }));
      const checkout = page.url();
      await page.getByRole('button', { name: 'Pay €9.00' }).click();
      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
      await page.context().clearCookies();
      // The page that the buyer returns to can interrupt the navigation.
      await expect(() => page.goto(checkout)).toPass();
      await takePicture(page, '61-finished-checkout');
      let status = 200;
      for (let request = 0; status !== 429 && request < 50; request++) {
        await page.goto(`${baseUrl}/sign-in`);
        await page.getByLabel(/e-?mail/i).fill(users.ben.email);
        const answered = page.waitForResponse((response) => response.request().method() === 'POST');
        await page.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
        status = (await answered).status();
      }
      await takePicture(page, '62-too-many-codes');
    });
  });
}
