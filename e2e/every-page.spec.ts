import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { openAsOperator } from './authenticator-app.js';
import { violationsOf } from './axe.js';
import { longIf } from './levels.js';
import { inviteLinkOfBuyer, openCheckout } from './open-checkout.js';
import { CONDITIONS } from './page-conditions.js';
import { expect, pickUser, test } from './world.js';

const { community, confidentialClient, plans, publicClient, users } = sandboxScenario;

const OPERATOR_PAGES = [
  ...['', '/audit', '/users', `/users/${users.ada.id}`, '/drops', '/operators/new'],
  ...[`/plans/${plans.monthly.id}/change`, `/clients/${publicClient.clientId}`],
  `/communities/${community.id}/end`,
];

/** Heading of the callback page that somebody opens by hand. */
const NOTHING_TO_FINISH: Readonly<Record<string, string>> = {
  de: 'Hier gibt es nichts abzuschließen',
  ar: 'لا شيء لإتمامه هنا',
};

// Pages and states that no link leads to. `all-pages.spec.ts` checks every page that links reach. At 320 px no page may scroll
// sideways. Reduced motion keeps colors from fading while axe reads them.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function expectFits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(`${page.url()} ${width}`).toBe(`${page.url()} ${page.viewportSize()?.width}`);
}

async function expectGoodPage(page: Page, options?: Parameters<typeof violationsOf>[1]): Promise<void> {
  await expectFits(page);
  expect(await violationsOf(page, options)).toEqual([]);
}

for (const { name, isLong, ...options } of CONDITIONS) {
  test.describe(name, () => {
    test.use(options);

    test(
      'the steps of a sign-in, the errors of a form and a shown key fit the screen',
      longIf(isLong),
      async ({ page, world }) => {
        await page.goto(`${world.backendShop.url}/table`);
        await expectFits(page);
        const signIn = page.url();
        await page.getByLabel(/e-?mail/i).fill(users.dana.email);
        await page.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
        await expect(page.getByLabel(/code/i)).toBeVisible();
        await expectFits(page);
        await page.goto(signIn);
        await pickUser(page, users.dana.email);
        await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
        await expectFits(page);
        await page.goto(`${world.service.baseUrl}/developer/api-keys/new`);
        await page.getByRole('button', { name: 'Create key' }).click();
        await expect(page.getByRole('alert')).toBeVisible();
        await expectFits(page);
        await page.getByLabel('Name').fill('Door');
        await page.getByLabel('MEMBERSHIP_READ').check();
        await page.getByRole('button', { name: 'Create key' }).click();
        await expect(page.getByLabel('API key')).toBeVisible();
        await expectFits(page);
      },
    );

    for (const locale of ['de', 'ar']) {
      test.describe(locale, () => {
        test.use({ locale });

        test('the account area is accessible', longIf(isLong), async ({ page, world }) => {
          await page.goto(`${world.service.baseUrl}/account`);
          await pickUser(page, users.ada.email);
          for (const path of [
            '',
            '/payments',
            '/profile',
            '/sessions',
            '/two-step',
            '/email',
            '/export',
            '/delete',
          ]) {
            await page.goto(`${world.service.baseUrl}/account${path}`);
            await expect(page.locator('html')).toHaveAttribute('lang', locale);
            await expectGoodPage(page);
          }
        });

        test('the seller area is accessible', longIf(isLong), async ({ page, world }) => {
          await page.goto(`${world.service.baseUrl}/seller`);
          await pickUser(page, users.dana.email);
          const sections = ['', '/members', '/plans/new', '/roles', '/brand'];
          for (const path of ['', ...sections.map((section) => `/communities/${community.id}${section}`)]) {
            await page.goto(`${world.service.baseUrl}/seller${path}`);
            await expect(page.locator('html')).toHaveAttribute('lang', locale);
            await expectGoodPage(page);
          }
        });

        test('the developer area is accessible', longIf(isLong), async ({ page, world }) => {
          await page.goto(`${world.service.baseUrl}/developer`);
          await pickUser(page, users.dana.email);
          for (const path of [
            '',
            '/api-keys',
            '/api-keys/new',
            '/clients',
            '/clients/new',
            `/clients/${confidentialClient.clientId}`,
            '/webhooks',
            '/webhooks/new',
          ]) {
            await page.goto(`${world.service.baseUrl}/developer${path}`);
            await expect(page.locator('html')).toHaveAttribute('lang', locale);
            await expectGoodPage(page);
          }
        });

        test('the operator area is accessible', longIf(isLong), async ({ page, world }) => {
          await openAsOperator(page, world, users.ada);
          for (const path of OPERATOR_PAGES) {
            await page.goto(`${world.service.baseUrl}/operator${path}`);
            await expect(page.locator('html')).toHaveAttribute('lang', locale);
            await expectGoodPage(page);
          }
        });

        test(
          'the callback page that has nothing to finish is accessible',
          longIf(isLong),
          async ({ page, world }) => {
            await page.goto(`${world.service.baseUrl}/widget/callback/${publicClient.clientId}`);
            await expect(page.locator('html')).toHaveAttribute('lang', locale);
            await expect(page.getByRole('heading', { name: NOTHING_TO_FINISH[locale] ?? '' })).toBeVisible();
            await expectGoodPage(page);
          },
        );
      });
    }

    test('a mail is accessible', longIf(isLong), async ({ page, world }) => {
      await page.goto(`${world.service.baseUrl}/sign-in`);
      await page.getByLabel(/e-?mail/i).fill(users.ben.email);
      await page.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
      await expect(page.getByLabel(/code/i)).toBeVisible();
      await page.goto(`${world.service.baseUrl}/sandbox/mailbox`);
      await page.getByRole('main').getByRole('link').first().click();
      await expect(page.getByRole('link', { name: 'Back to the mailbox' })).toBeVisible();
      await expectGoodPage(page, { hasFrames: true });
      const html = await page.getByTitle(/^HTML of the mail/).getAttribute('src');
      const address = page.url();
      await page.goto('about:blank');
      for (const scheme of ['light', 'dark']) {
        const { href, searchParams } = new URL(html ?? '', address);
        const mail = await page.request.get(href.replace(`${searchParams}`, `scheme=${scheme}`));
        // Its address allows no scripts, and axe is one.
        await page.setContent(await mail.text());
        await expect(page.getByRole('heading', { name: 'code' })).toBeVisible();
        // A mail program shows it in a page with landmarks.
        await expectGoodPage(page, { except: ['landmark-one-main', 'region'] });
      }
    });

    test('the pages of payments are accessible', longIf(isLong), async ({ page, world }) => {
      const { url } = await world.site(() => '');
      const returns = { successUrl: url, cancelUrl: url };
      await page.goto(await openCheckout(world, { ...returns, pricingPlanId: plans.lifetime.id }));
      await expect(page.getByRole('button', { name: 'Confirm that I sent it' })).toBeVisible();
      await expectGoodPage(page);
      await page.goto(await openCheckout(world, returns));
      await page.getByLabel('Test card ending in 0002').check();
      await page.getByRole('button', { name: 'Pay €9.00' }).click();
      await expect(page.getByRole('alert')).toContainText('declined');
      await expectGoodPage(page);
    });

    test('the pages after a payment are accessible', longIf(isLong), async ({ page, world }) => {
      // The buyer's destination opens nothing, so that the page before it stays.
      const { url } = await world.site(() => '');
      await page.route(url, (route) => route.abort('aborted'));
      await page.goto(await openCheckout(world, { successUrl: url, cancelUrl: url }));
      await page.getByRole('button', { name: 'Pay €9.00' }).click();
      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
      await expectGoodPage(page);

      await page.goto(await inviteLinkOfBuyer(world));
      await page.getByLabel('Number of another account').fill('none');
      await page.getByRole('button', { name: 'Ask to join', exact: true }).click();
      await expect(page.getByRole('alert')).toContainText('Enter a whole number');
      await expectGoodPage(page);
      await page.getByRole('button', { name: users.ben.name }).click();
      await expect(page.getByRole('status')).toContainText('was let in');
      await expectGoodPage(page);
    });

    test(
      'the pages for a foreign host, a finished checkout and too many codes are accessible',
      longIf(isLong),
      async ({ page, world }) => {
        const { baseUrl } = world.service;
        await page.goto(`http://elsewhere.localhost:${new URL(baseUrl).port}/account`);
        await expect(page.getByRole('heading', { name: 'Wrong address' })).toBeVisible();
        await expectGoodPage(page);

        const { url } = await world.site(() => '');
        await page.route(url, (route) => route.abort('aborted'));
        const checkout = await openCheckout(world, { successUrl: url, cancelUrl: url });
        await page.goto(checkout);
        await page.getByRole('button', { name: 'Pay €9.00' }).click();
        await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
        // The page leads to the site by itself, which can abort the navigation of the test.
        await expect(() => page.goto(checkout)).toPass();
        await expect(page.getByRole('link', { name: /Continue to/ })).toBeVisible();
        await expectGoodPage(page);

        const refused = page.getByRole('heading', { name: 'Too many codes for this address' });
        await expect(async () => {
          await page.goto(`${baseUrl}/sign-in`);
          await page.getByLabel(/e-?mail/i).fill(users.ben.email);
          await page.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
          await expect(refused).toBeVisible({ timeout: 1 });
        }).toPass({ intervals: [0] });
        await expectGoodPage(page);
      },
    );
  });
}
