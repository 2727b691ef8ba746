import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { JOURNEY, LONG } from './levels.js';
import { expect, openPopup, pickUser, recordPageErrors, signInWithPopup, test, type World } from './world.js';

const { products, users } = sandboxScenario;
const LESSON = '/course/the-curve';
const VIDEO = '/course/media/the-roast.webm';

// Reduced motion keeps colors from fading while axe reads them.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Opens a page of the shop and signs in on the way. */
async function signInAt(page: Page, world: World, { path, email }: { path: string; email: string }) {
  await page.goto(`${world.backendShop.url}/auth/login?returnTo=${encodeURIComponent(path)}`);
  await pickUser(page, email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(`${world.backendShop.url}${path}`);
}

/** Buys a seat on a page that sells one. */
async function buySeat(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Join for €9 a month' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
}

const drawer = (page: Page) => page.getByRole('dialog', { name: 'How this works' });
const openDrawer = (page: Page) => page.getByRole('button', { name: 'How this works' }).click();

test('a buyer returns to the lesson, its video plays, and the drawer shows the calls', {
  tag: JOURNEY,
}, async ({ page, context, world }) => {
  const pageErrors = await recordPageErrors(context);
  await signInAt(page, world, { path: LESSON, email: users.ben.email });
  await expect(page.getByRole('heading', { name: 'The rest is for members' })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  await expectNoViolations(page);

  await openDrawer(page);
  const calls = drawer(page).locator('#how-calls li');
  await expect(calls.filter({ hasText: 'POST /oauth/token' })).toContainText(
    'The one-time code was redeemed',
  );
  await buySeat(page);
  await expect(page).toHaveURL(`${world.backendShop.url}${LESSON}`);
  await expect(page.getByText(/You’re a member\./)).toBeVisible();

  const video = page.locator('video');
  const played = await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    await element.play();
    await new Promise((resolve) => element.addEventListener('timeupdate', resolve, { once: true }));
    return { width: element.videoWidth, captions: element.textTracks.length };
  });
  expect(played).toEqual({ width: 960, captions: 1 });

  // The drawer stayed open over the purchase, and names what happened on the way.
  await expect(calls.filter({ hasText: 'POST /api/checkout/buy-plan' })).toContainText('hosted checkout');
  const paid = calls.filter({ hasText: 'POST /webhooks payment.success' });
  await expect(paid).toContainText('A payment is confirmed.');
  await expect(paid.getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`^${world.service.baseUrl}/sandbox/webhooks\\?id=`),
  );
  await expect(drawer(page)).not.toContainText(/ocs_|svc_|access_token|code=/);
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Close' }).press('Escape');
  await expect(drawer(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'How this works' })).toBeFocused();

  await page.getByRole('button', { name: 'Mark as done' }).click();
  await expect(page.getByText('You have finished this lesson.')).toBeVisible();
  expect(pageErrors).toEqual([]);
});

test('one goes from one account to another at the closed table, in the account menu and after a sign-out', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  const { ada, ben } = users;
  const choose = (on: Page, email: string) =>
    on.locator('.accounts').getByRole('button', { name: email }).click();
  await signInAt(page, world, { path: '/table', email: ben.email });
  await expect(page.getByRole('heading', { name: 'This account has no seat yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Use another account' }).click();
  await expect(page.locator('.accounts > li')).toHaveCount(1);
  await expectNoViolations(page);
  await pickUser(page, ada.email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('heading', { name: /This week’s table/ })).toBeVisible();

  // The static shop has the widget in its header.
  await page.goto(world.scriptTagShop.url);
  const first = await openPopup(page);
  const signedIn = first.waitForEvent('close');
  await first.getByRole('button', { name: 'Allow' }).click();
  await signedIn;
  const login = page.locator('latchkey-login').first();
  await login.getByRole('button', { name: ada.email }).click();
  const opened = page.waitForEvent('popup');
  await login.getByRole('button', { name: 'Switch account' }).click();
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  await expect(popup.locator('.accounts > li')).toHaveCount(2);
  await choose(popup, ben.email);
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await expect(login).toContainText(ben.email);

  await page.goto(`${world.backendShop.url}/account`);
  await page.getByRole('button', { name: 'Sign out of this shop' }).click();
  await page.goto(`${world.backendShop.url}/table`);
  await expect(page.locator('.accounts > li')).toHaveCount(2);
  await choose(page, ada.email);
  await expect(page.getByRole('heading', { name: /This week’s table/ })).toBeVisible();
});

test('a member has a chat invite and an account page, and is not sold another seat', { tag: LONG }, async ({
  page,
  world,
}) => {
  const base = world.backendShop.url;
  await signInAt(page, world, { path: '/account', email: users.ben.email });
  await expect(page.getByRole('main')).toContainText('This account has no active membership of this shop.');
  await expectNoViolations(page);
  await page.goto(`${base}/#join`);
  await page.locator('#join').getByRole('button').click();
  await page.getByRole('link', { name: /cancel and go back/i }).click();
  await expect(page.getByRole('heading', { name: 'Payment cancelled' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page).toHaveURL(`${base}/table`);
  await expect(page.locator('#chat-state')).toContainText(
    /Your invite is ready\. It expires on \d+ \w+ \d{4} at /,
  );
  await expect(page.getByRole('link', { name: 'Join the chat' })).toHaveAttribute(
    'href',
    /^http.*\/messenger\//,
  );
  await expectNoViolations(page);

  await page.getByRole('link', { name: users.ben.email }).click();
  await expect(page.getByRole('main')).toContainText(/The Roaster’s Table.*paid until/s);
  // The event that confirms the payment can come after the membership.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('main')).toContainText('Last payment: €9', { timeout: 1_000 });
  }).toPass();
  const manage = page.getByRole('link', { name: 'Manage your subscription' });
  await expect(manage).toHaveAttribute('href', `${world.service.baseUrl}/account`);
  await page.goto(base);
  await expect(page.getByRole('heading', { name: 'You have a seat' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Join for/ })).toHaveCount(0);

  await page.goto(`${base}/account`);
  await page.getByRole('button', { name: 'Sign out of this shop' }).click();
  const after = await page.request.get(`${base}${VIDEO}`);
  expect(after.status()).toBe(401);
});

test('without the service, the free lesson opens, and the account page explains the outage', {
  tag: LONG,
}, async ({ page, world }) => {
  const base = world.backendShop.url;
  await signInAt(page, world, { path: '/course/the-fire', email: users.ada.email });
  await world.service.close();
  world.clock.advance(30 * 60_000); // what the shop knows of its members is no longer recent
  await page.goto(`${base}/course/the-fire`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The fire');
  const account = await page.goto(`${base}/account`);
  expect(account?.status()).toBe(503);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We couldn’t look up your seat');
});

test('the video is refused to strangers, and sent to members in parts', async ({ page, world }) => {
  const base = world.backendShop.url;
  const statusOf = async (path: string) => (await page.request.get(`${base}${path}`)).status();
  expect(await statusOf(VIDEO)).toBe(401);
  await signInAt(page, world, { path: '/course', email: users.eve.email });
  for (const path of [
    VIDEO,
    VIDEO.replace('media', '%6dedia'),
    VIDEO.replace('/media/', '//media/'),
    VIDEO.replace('.webm', '.vtt'),
  ]) {
    expect(`${path} ${await statusOf(path)}`).toMatch(/ (403|404)$/);
  }
  expect((await page.goto(`${base}${LESSON}`))?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'A seat at the Roaster’s Table' })).toBeVisible();
  // The same account, as an owner of the course.
  await world.service.operator.grantMembership({
    ...{ userId: users.eve.id, productType: 'digital_product', productId: products.roastingCourse.id },
    validFrom: world.clock.now(),
  });
  await expect.poll(() => statusOf(VIDEO)).toBe(200);
  // Nothing that a public folder serves contains the file.
  for (const path of ['/members/course/the-roast.webm', '/assets/the-roast.webm', '/the-roast.webm']) {
    expect(`${path} ${await statusOf(path)}`).toBe(`${path} 404`);
  }
  await page.context().clearCookies();
  await signInAt(page, world, { path: LESSON, email: users.ada.email });
  await expect(page.locator('video')).toBeVisible();
  const part = await page.request.get(`${base}${VIDEO}`, { headers: { range: 'bytes=0-99' } });
  expect(part.status()).toBe(206);
  expect((await part.body()).byteLength).toBe(100);
});

test('the static shop explains its calls, and leads to the other shop for what needs a server', async ({
  page,
  context,
  world,
}) => {
  const pageErrors = await recordPageErrors(context);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const home = world.scriptTagShop.url;
  await page.goto(home);
  expect(await page.content()).not.toContain('£');
  await expect(page.getByRole('link', { name: 'Join for €9 a month' }).last()).toHaveAttribute(
    'href',
    `${world.backendShop.url}/#join`,
  );
  await openDrawer(page);
  await expect(drawer(page)).toContainText('No call yet.');
  expect(await page.evaluate(() => document.querySelector('dialog')?.matches(':modal'))).toBe(true);
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  // Whoever has a membership is not sold another one.
  await signInWithPopup(page, users.eve.email);
  await expect(page.getByRole('link', { name: 'Open the table there' })).toBeVisible();
  await expect(page.locator('#table').getByRole('link', { name: /^Join/ })).toHaveCount(0);
  await expect(page.locator('#account')).toContainText(`Signed in as ${users.eve.email}`);
  await page.getByRole('link', { name: 'The fire' }).click();
  await expect(page.getByRole('heading', { name: 'The fire' })).toBeVisible();
  await expectNoViolations(page);
  for (const shop of [home, world.backendShop.url]) {
    expect((await page.goto(`${shop}/no-such-page`))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'There is nothing on this table' })).toBeVisible();
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
  // Another site reads neither stream, whatever it calls itself.
  for (const headers of [{ host: 'shop.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect((await page.request.get(`${home}/how/live`, { headers })).status()).toBe(403);
  }
  expect(pageErrors).toEqual([]);
});

test('a signed-in visitor without a seat is led to the offer, not to a rejection', async ({
  page,
  world,
}) => {
  await signInAt(page, world, { path: '/', email: users.ben.email });
  const locked = page.locator('latchkey-gate:state(locked)');
  const offers = [
    page.locator('#hero-actions').getByRole('link', { name: 'Take a seat' }),
    locked.getByRole('link', { name: 'See what a seat includes' }),
  ];
  for (const offer of offers) await expect(offer).toHaveAttribute('href', '#join');
  await expect(page.getByRole('button', { name: /^Join for/ })).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('link', { name: /table$/i })).toHaveCount(0);
});

test('on a phone the header has two rows, shows the current page, and nothing floats over the page', {
  tag: LONG,
}, async ({ page, world }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${world.backendShop.url}/drop`);
  const current = page.getByRole('navigation', { name: 'Shop' }).getByRole('link', { name: 'The drop' });
  await expect(current).toBeInViewport({ ratio: 1 });
  const open = page.getByRole('button', { name: 'How this works' });
  await expect(open).toBeInViewport({ ratio: 1 });
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(open).not.toBeInViewport();

  await page.goto(`${world.backendShop.url}/`);
  const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'In a popup' }) });
  const [button, text] = await Promise.all([
    card.getByRole('button', { name: 'Sign in' }).boundingBox(),
    card.locator('p').first().boundingBox(),
  ]);
  expect(button?.x).toBe(text?.x);

  await page.goto(world.scriptTagShop.url);
  const login = page.locator('.masthead latchkey-login');
  const brand = page.locator('.brand');
  const middleOf = async (part: typeof brand) => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
    return y + height / 2;
  };
  await expect(login.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await middleOf(login)).toBeCloseTo(await middleOf(brand), 0);
  await expect(login).not.toHaveAttribute('compact');
  await signInWithPopup(page, users.ada.email);
  await expect(login).toHaveAttribute('compact');
  expect(await middleOf(login)).toBeCloseTo(await middleOf(brand), 0);
});
