import { JOURNEY, LONG } from './levels.js';
import { expect, openPopup, pickUser, signInButton, signInWithPopup, test } from './world.js';

/** Signs in without the widget: by the site's link, through the service's pages, and back. */
async function signInOnTheServer(page: import('@playwright/test').Page, email: string): Promise<void> {
  await pickUser(page, email);
  await page.getByRole('button', { name: 'Allow' }).click();
}

test('the page with a backend holds an httpOnly session and no token, and signing out revokes its tokens', {
  tag: JOURNEY,
}, async ({ page, context, world }) => {
  const { origin } = new URL(world.backendShop.url);
  const tokenRequests: string[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/oauth/token') tokenRequests.push(request.url());
  });
  await page.goto(world.backendShop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');

  const cookies = (await context.cookies(origin)).filter((cookie) => cookie.domain === 'localhost');
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect(tokenRequests).toEqual([]);

  const session = await (await page.request.get(`${origin}/auth/session`)).json();
  expect(session).toMatchObject({ signedIn: true, user: { email: 'ada@example.com' } });
  expect(JSON.stringify(session)).not.toContain(cookies[0]?.value ?? 'no cookie');

  const login = page.locator('latchkey-login').first();
  await login.getByRole('button', { name: /ada@example\.com|account/i }).click();
  await login.getByRole('button', { name: /sign out/i }).click();
  await expect(signInButton(page)).toBeVisible();
  // The copied cookie survives the sign-out, but its tokens are revoked. The session ends when the kit must
  // refresh.
  await context.addCookies(cookies);
  world.clock.advance(3600_000);
  const copied = await (await page.request.get(`${origin}/auth/session`)).json();
  expect(copied).toMatchObject({ signedIn: false });
});

test('the session survives a reload, without a click', { tag: LONG }, async ({ page, world }) => {
  await page.goto(world.backendShop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
  await page.reload();
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
});

test('a gated page sends a visitor to the sign-in and back to the page', async ({ page, world }) => {
  await page.goto(`${world.backendShop.url}/table?roast=dark`);
  expect(new URL(page.url()).origin).toBe(new URL(world.service.baseUrl).origin);
  await signInOnTheServer(page, 'ada@example.com');
  await expect(page).toHaveURL(`${world.backendShop.url}/table?roast=dark`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/table/i);
});

test('a gated page rejects a non-member with status 403 and a reason', async ({ page, world }) => {
  const base = world.backendShop.url;
  await page.goto(`${base}/table`);
  await pickUser(page, 'ben@example.com');
  const answered = page.waitForResponse(
    (response) => response.url() === `${base}/table` && response.status() === 403,
  );
  await page.getByRole('button', { name: 'Allow' }).click();
  await answered;
  await expect(page.getByRole('main')).toContainText(/member/i);
});

test('the same gate answers JSON with 401 and 403', async ({ page, world }) => {
  const base = world.backendShop.url;
  const signedOut = await page.request.get(`${base}/api/table`, {
    headers: { accept: 'application/json' },
    maxRedirects: 0,
  });
  expect(signedOut.status()).toBe(401);
  expect(await signedOut.json()).toMatchObject({ error: 'sign_in_required' });

  await page.goto(base);
  await signInWithPopup(page, 'ben@example.com');
  await expect(page.locator('latchkey-login').first()).toContainText('ben@example.com');
  const notMember = await page.request.get(`${base}/api/table`, {
    headers: { accept: 'application/json' },
    maxRedirects: 0,
  });
  expect(notMember.status()).toBe(403);
  expect(await notMember.json()).toMatchObject({ error: 'membership_required' });
});

test('declining at the service brings the visitor back with an explanation and a way to try again', async ({
  page,
  world,
}) => {
  await page.goto(`${world.backendShop.url}/table`);
  await pickUser(page, 'ada@example.com');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page).toHaveURL(new RegExp(`^${world.backendShop.url}/auth/callback`));
  await expect(page.getByRole('link', { name: /try again|sign in/i }).first()).toBeVisible();
});

test('two tabs can sign in at once', async ({ context, world }) => {
  const base = world.backendShop.url;
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto(`${base}/table?tab=1`);
  await second.goto(`${base}/table?tab=2`);
  await signInOnTheServer(first, 'ada@example.com');
  await expect(first).toHaveURL(`${base}/table?tab=1`);
  await second.reload();
  if (new URL(second.url()).origin !== new URL(base).origin) await pickUser(second, 'ada@example.com');
  await expect(second).toHaveURL(`${base}/table?tab=2`);
});

test('a browser that blocks cookies gets a text that says so, and the next attempt succeeds once it keeps them', async ({
  page,
  context,
  world,
}) => {
  await page.goto(world.backendShop.url);
  await page.route('**/auth/exchange', async (route) => {
    const response = await route.fetch();
    const { 'set-cookie': _, ...headers } = response.headers();
    // Playwright keeps the cookies of what it fetched.
    await context.clearCookies();
    await route.fulfill({ response, headers });
  });
  await signInWithPopup(page, 'ada@example.com');
  const login = page.locator('latchkey-login').first();
  await expect(login).toContainText('Allow cookies for this site');
  await page.unroute('**/auth/exchange');
  const opened = page.waitForEvent('popup');
  await login.getByRole('button', { name: 'Try again' }).click();
  const popup = await opened;
  await pickUser(popup, 'ada@example.com');
  await expect(login).toContainText('ada@example.com');
});

test('the popup of a page in backend mode explains itself when the visitor is slow: the code expires after 60 seconds', async ({
  page,
  world,
}) => {
  await page.goto(world.backendShop.url);
  await page.route('**/auth/exchange', async (route) => {
    world.clock.advance(60_000);
    await route.continue();
  });
  const popup = await openPopup(page);
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await expect(page.locator('latchkey-login').first()).toContainText(/expired|took too long|try again/i);
});
