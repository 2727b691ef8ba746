import { JOURNEY, LONG, MAIN_FLOW, WINDOWS } from './levels.js';
import { expect, openPopup, pickUser, recordRequests, signInButton, signInWithPopup, test } from './world.js';

test('a member signs in by popup, the members-only part opens, and signing out closes it', {
  tag: [JOURNEY, ...MAIN_FLOW],
}, async ({ page, world }) => {
  await page.goto(world.scriptTagShop.url);
  const members = page.locator('latchkey-gate').first();
  await expect(members).toHaveJSProperty('state', 'signed-out');

  await signInWithPopup(page, 'ada@example.com');

  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
  await expect(page.getByText(/welcome.*ada/i).first()).toBeVisible();
  await expect(members).toHaveJSProperty('state', 'open');

  const login = page.locator('latchkey-login').first();
  await login.getByRole('button', { name: /ada@example\.com|account/i }).click();
  await login.getByRole('button', { name: /sign out/i }).click();
  await expect(signInButton(page)).toBeVisible();
  await expect(members).toHaveJSProperty('state', 'signed-out');
});

test('a non-member signs in, and the members-only part stays closed with a reason', async ({
  page,
  world,
}) => {
  await page.goto(world.scriptTagShop.url);
  await signInWithPopup(page, 'ben@example.com');
  const members = page.locator('latchkey-gate').first();
  await expect(members).toHaveJSProperty('state', 'locked');
  await expect(members).toContainText(/member/i);
});

test('a visitor with an expired membership sees the gate closed', { tag: LONG }, async ({ page, world }) => {
  await page.goto(world.scriptTagShop.url);
  await signInWithPopup(page, 'cleo@example.com');
  await expect(page.locator('latchkey-gate').first()).toHaveJSProperty('state', 'locked');
});

test('a visitor signs in with the code from the e-mail', { tag: JOURNEY }, async ({ page, world }) => {
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await popup.getByLabel(/e-?mail/i).fill('ada@example.com');
  await popup.getByRole('button', { name: /send|continue|e-?mail me/i }).click();
  await expect(popup.getByLabel(/code/i)).toBeVisible();
  const code = world.service.mailbox?.codeFor('ada@example.com');
  await popup.getByLabel(/code/i).fill(code ?? 'no mail arrived');
  await popup.getByRole('button', { name: /^(sign in|continue|verify)/i }).click();
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
});

test('the second sign-in of the same user skips the consent page', { tag: WINDOWS }, async ({
  page,
  world,
}) => {
  await page.goto(world.scriptTagShop.url);
  await signInWithPopup(page, 'ada@example.com');
  await page.reload();
  const popupOpened = page.waitForEvent('popup');
  await signInButton(page).click();
  const popup = await popupOpened;
  if (!popup.isClosed()) await popup.waitForEvent('close');
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
});

test('a button in the sandbox switches to another user', { tag: LONG }, async ({ page, world }) => {
  await page.goto(world.scriptTagShop.url);
  await signInWithPopup(page, 'ada@example.com');
  await page.goto(`${world.service.baseUrl}/sandbox`);
  const picked = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await page.getByRole('button', { name: 'Sign in as Ben Visitor' }).click();
  await (await picked).finished();
  await page.waitForLoadState();
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await expect(page.locator('latchkey-login').first()).toContainText('ben@example.com');
});

test('the widget sends no request before the click, and only the necessary ones after consent', {
  tag: [JOURNEY, WINDOWS],
}, async ({ page, context, world }) => {
  const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
  await page.clock.install({ time: world.clock.now() });
  await page.goto(world.scriptTagShop.url);
  await expect(signInButton(page)).toBeVisible();
  // Its own two files. The second one follows when the page has nothing else to do.
  await expect.poll(() => requests).toEqual(['GET /widget/latchkey.js', 'GET /widget/latchkey-sign-in.js']);
  // After 8 s without a response, the widget asks for the reason. On a slow machine this sign-in takes longer.
  await page.clock.pauseAt(world.clock.now() + 10 * 60_000);

  const popup = await openPopup(page);
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).hover();
  // The page counts a press after a moment of calm, and its clock stands still.
  await page.clock.runFor(1000);
  requests.length = 0;
  await popup.mouse.down();
  await popup.mouse.up();
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');

  const calls = requests.filter((request) => request.includes(' /oauth/') && !request.startsWith('OPTIONS'));
  expect(calls.slice(0, 3).map((call) => call.replace(/oac_\w+/, '{clientId}'))).toEqual([
    'POST /oauth/consent',
    'GET /oauth/client/{clientId}',
    'POST /oauth/token',
  ]);
  expect(calls.slice(3).sort()).toEqual(['GET /oauth/memberships', 'GET /oauth/userinfo']);
});

test('the widget requests user and memberships in parallel after the token', async ({ page, world }) => {
  await page.goto(world.scriptTagShop.url);
  // The service answers neither request before both arrive. Sequential requests would wait forever.
  const both = Promise.all(
    ['userinfo', 'memberships'].map((name) => page.waitForRequest(`**/oauth/${name}`)),
  );
  await page.route(/\/oauth\/(userinfo|memberships)$/, async (route) => {
    await both;
    await route.continue();
  });
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
});

test('a script of the site may return a proxy of the popup', async ({ page, world }) => {
  const shop = await world.shop();
  await page.addInitScript(() => {
    const { open } = window;
    window.open = (...parameters) => {
      const popup = open(...parameters);
      const get = (target: Window, name: string | symbol) => {
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      };
      return popup && new Proxy(popup, { get });
    };
  });
  await page.goto(shop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.getByText('Members see this.')).toBeVisible();
});

test('a second click focuses the open popup', { tag: MAIN_FLOW }, async ({ page, context, world }) => {
  await page.goto(world.scriptTagShop.url);
  await openPopup(page);
  const pages = context.pages().length;
  await page
    .locator('latchkey-login')
    .first()
    .evaluate((element: HTMLElement & { signIn(): void }) => element.signIn());
  expect(context.pages()).toHaveLength(pages);
});
