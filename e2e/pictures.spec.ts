import { type startDemo as StartDemo, startDemo } from '@latchkey/demo';
import { sandboxScenario } from '@latchkey/sandbox';
import { createManualClock } from '@latchkey/server';
import type { Page } from '@playwright/test';
import { test } from './calm-press.js';
import { LONG } from './levels.js';
import { openCheckout } from './open-checkout.js';
import { expectOtherPicture, expectPicture } from './stable-picture.js';
import { expect, pickUser, signInWithPopup, type World } from './world.js';

const { community, confidentialClient, plans, products, publicClient, users, webhooks } = sandboxScenario;

/** Time at the service, and in the browser. */
const NOW = Date.UTC(2026, 10, 22, 12);

// Reduced motion ends transitions at once. The zone and the language decide how times and prices are written.
test.use({
  viewport: { width: 1280, height: 900 },
  timezoneId: 'Europe/London',
  locale: 'en-GB',
  contextOptions: { reducedMotion: 'reduce' },
});
test.describe.configure({ mode: 'default' });

let demo: Awaited<ReturnType<typeof StartDemo>>;
test.beforeAll(async () => {
  const ports = { servicePort: 0, scriptTagPort: 0, backendPort: 0 };
  demo = await startDemo({ ...ports, clock: createManualClock(NOW), quiet: true });
});
test.afterAll(() => demo.close());
test.beforeEach(({ page }) => page.clock.setFixedTime(NOW));

const at = (path: string) => `${demo.service.baseUrl}${path}`;

async function signInAs(page: Page, { name }: { name: string }): Promise<void> {
  await page.goto(at('/sandbox'));
  await page.getByRole('button', { name: `Sign in as ${name}` }).click();
}

/** Returns the address that the widget's popup opens. */
function authorizeUrl(parameters: Readonly<Record<string, string>> = {}): string {
  const { origin } = new URL(demo.scriptTagShop.url);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: publicClient.clientId,
    redirect_uri: at(`/widget/callback/${publicClient.clientId}`),
    scope: 'memberships.read',
    state: Buffer.from(JSON.stringify({ n: 'nonce', o: origin })).toString('base64url'),
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...parameters,
  });
  return at(`/oauth/authorize?${query}`);
}

/** Pages that a signed-in seller opens by their addresses. */
const SELLER_PAGES = {
  developer: '/developer',
  app: `/developer/clients/${confidentialClient.clientId}`,
  'api-keys': '/developer/api-keys',
  webhook: `/developer/webhooks/${webhooks.community.id}`,
  seller: '/seller',
  members: `/seller/communities/${community.id}/members`,
  plans: `/seller/communities/${community.id}/plans`,
  plan: `/seller/communities/${community.id}/plans/${plans.monthly.id}`,
  'new-plan': `/seller/communities/${community.id}/plans/new`,
  drops: `/seller/communities/${community.id}/drops`,
};

/** Pages that a visitor opens by their addresses. */
const PUBLIC_PAGES = {
  community: `/communities/${community.id}`,
  product: `/products/${products.roastingCourse.id}`,
  'sandbox-front': '/sandbox',
  'sandbox-clock': '/sandbox/clock',
  // Without the texts of the documents, which change often.
  docs: '/docs/search?q=zzqxjvw',
  'not-found': '/no-such-page',
};

test('the pages of a seller and developer look as stored', { tag: LONG }, async ({ page }) => {
  await signInAs(page, users.dana);
  // The quick start counts the first event when its delivery is recorded.
  await expect(async () => {
    await page.goto(at('/developer'));
    await expect(page.getByText('4 of 5 done')).toBeVisible({ timeout: 500 });
  }).toPass();
  for (const [name, path] of Object.entries(SELLER_PAGES)) {
    await test.step(name, async () => {
      await page.goto(at(path));
      await expectPicture(page, name);
    });
  }
});

test('the pages of a visitor look as stored', { tag: LONG }, async ({ page }) => {
  for (const [name, path] of Object.entries(PUBLIC_PAGES)) {
    await test.step(name, async () => {
      await page.goto(at(path));
      await expectPicture(page, name);
    });
  }
});

test('the account of a member looks as stored, in light and in dark', { tag: LONG }, async ({ page }) => {
  await signInAs(page, users.ada);
  await page.goto(at('/account'));
  await expectPicture(page, 'account');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectPicture(page, 'account-dark');
});

test('sign-in, code and consent look as stored at the size of the popup', async ({ page }) => {
  await page.setViewportSize({ width: 480, height: 640 });
  const authorize = authorizeUrl();
  await page.goto(authorize);
  await expectPicture(page, 'sign-in');
  await page.getByLabel(/e-?mail/i).fill('ada@example.com');
  await page.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
  await expect(page.getByLabel(/code/i)).toBeVisible();
  // The letters are random, and their width moves the line.
  await page.locator('strong[translate="no"]').evaluate((reference) => {
    reference.textContent = 'ABCD';
  });
  await expectPicture(page, 'code');
  await page.goto(authorize);
  await pickUser(page, users.ada.email);
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  await expectPicture(page, 'consent');
});

test('the payment looks as stored, wide and on a phone', { tag: LONG }, async ({ page }) => {
  const successUrl = 'https://shop.example/thanks';
  await page.route(successUrl, (route) => route.abort('aborted'));
  await page.goto(
    await openCheckout(demo as unknown as World, { successUrl, cancelUrl: 'https://shop.example/' }),
  );
  await expectPicture(page, 'payment');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectPicture(page, 'payment-phone');
});

test('the shop and its gates look as stored', async ({ page }) => {
  await page.goto(demo.scriptTagShop.url);
  await expect(page.locator('latchkey-gate').first()).toHaveJSProperty('state', 'signed-out');
  await expectPicture(page, 'shop', { fullPage: false });
});

/** Conditions of the account menu and of the choice of an account. */
const ACCOUNT_LOOKS = [
  { suffix: '', width: 480, colorScheme: 'light', dir: 'ltr' },
  { suffix: '-dark', width: 480, colorScheme: 'dark', dir: 'ltr' },
  { suffix: '-narrow', width: 320, colorScheme: 'light', dir: 'ltr' },
  { suffix: '-right-to-left', width: 480, colorScheme: 'light', dir: 'rtl' },
] as const;

test('the account menu looks as stored in a header that sticks and clips', async ({ page }) => {
  await page.goto(demo.scriptTagShop.url);
  await signInWithPopup(page, users.ada.email);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '.masthead { position: sticky; inset-block-start: 0; z-index: 1; overflow: hidden; background: var(--ground) }',
    );
    document.adoptedStyleSheets.push(sheet);
    scrollTo(0, 300);
  });
  await page.getByRole('button', { name: users.ada.email }).click();
  for (const { suffix, width, colorScheme, dir } of ACCOUNT_LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.locator('html').evaluate((root, value) => root.setAttribute('dir', value), dir);
    await page.setViewportSize({ width, height: 640 });
    await expectPicture(page, `menu${suffix}`, { fullPage: false });
  }
});

test('the choice of an account looks as stored', async ({ page }) => {
  for (const user of [users.ben, users.ada]) await signInAs(page, user);
  for (const { suffix, width, colorScheme, dir } of ACCOUNT_LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 640 });
    await page.goto(authorizeUrl({ prompt: 'select_account' }));
    await page.locator('html').evaluate((root, value) => root.setAttribute('dir', value), dir);
    await expectPicture(page, `accounts${suffix}`);
  }
});

test('a missing button is seen', async ({ page }) => {
  await signInAs(page, users.dana);
  await page.goto(at(SELLER_PAGES['api-keys']));
  await page
    .getByRole('main')
    .getByRole('link', { name: /new|create/i })
    .evaluate((link) => link.remove());
  await expectOtherPicture(page, 'api-keys');
});
