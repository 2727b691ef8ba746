import { sandboxScenario } from '@latchkey/sandbox';
import { longIf } from './levels.js';
import { openCheckout } from './open-checkout.js';
import { expect, loginOf, recordRequests, signInWithPopup, test } from './world.js';

/** Longer than the shortest time between two checks of a session, in milliseconds. */
const PAUSE_MS = 6000;

for (const [what, options] of [
  ['without a backend', {}],
  ['with a backend', { backend: true }],
] as const) {
  test(
    `a visitor who paid in another tab finds the gates open, ${what}`,
    longIf(!('backend' in options)),
    async ({ page, context, world }) => {
      await context.clock.install({ time: world.clock.now() });
      const shop = await world.shop({
        ...options,
        more: '<latchkey-gate id="safe" src="/members"></latchkey-gate>',
      });
      const { webhooks } = sandboxScenario;
      await world.service.operator.change('webhooks', webhooks.community.id, {
        url: `${shop.origin}/webhooks`,
      });
      await page.goto(shop.url);
      await signInWithPopup(page, 'ben@example.com');
      await expect(loginOf(page)).toContainText('ben@example.com');
      for (const gate of await page.locator('latchkey-gate').all())
        await expect(gate).toHaveJSProperty('state', 'locked');

      const thanks = await world.site(() => '<h1>Thank you</h1>');
      const checkout = await context.newPage();
      await checkout.goto(await openCheckout(world, { successUrl: thanks.url, cancelUrl: thanks.url }));
      await checkout.getByRole('button', { name: 'Pay €9.00' }).click();
      await expect(checkout.getByRole('heading', { name: 'Thank you' })).toBeVisible();
      // The backend learns of the membership by its webhook.
      await expect.poll(() => shop.requests).toContain('POST /webhooks');

      const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
      world.clock.advance(PAUSE_MS);
      await page.clock.fastForward(PAUSE_MS);
      for (let visit = 0; visit < 5; visit++)
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect(page.getByText('Members see this.')).toBeVisible();
      await expect(page.getByText('The safe is behind the painting.')).toBeVisible();
      expect(requests.sort()).toEqual(
        'backend' in options ? [] : ['GET /oauth/memberships', 'GET /oauth/userinfo'],
      );
      const looks = shop.requests.filter((request) => request.includes('/auth/session'));
      // When the page loads, after the exchange, and when the page is shown again.
      expect(looks).toHaveLength('backend' in options ? 3 : 0);
    },
  );
}
