import type { BrowserContext, Page } from '@playwright/test';
import { JOURNEY, LONG, longIf } from './levels.js';
import { expect, loginOf, recordRequests, signInButton, signInWithPopup, test, type World } from './world.js';

const MINUTE = 60_000;

async function openTabs(context: BrowserContext, url: string, count: number): Promise<Page[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const tab = await context.newPage();
      await tab.goto(url);
      return tab;
    }),
  );
}

async function expectSignedIn(tabs: readonly Page[], email = 'ada@example.com'): Promise<void> {
  await Promise.all(tabs.map((tab) => expect(loginOf(tab)).toContainText(email)));
}

async function signOut(tab: Page): Promise<void> {
  await loginOf(tab).getByRole('button', { name: 'ada@example.com' }).click();
  await loginOf(tab).getByRole('button', { name: 'Sign out' }).click();
}

const refreshesIn = (requests: readonly string[]) =>
  requests.filter((request) => request === 'POST /oauth/token').length;

for (const [what, tag, options] of [
  ['tokens in local storage', [JOURNEY], { attributes: 'storage="local"' }],
  ['a backend', [], { backend: true }],
] as const) {
  test(`with ${what}, a sign-in and a sign-out in one tab reach the other tabs at once`, {
    tag: [...tag],
  }, async ({ context, world }) => {
    const shop = await world.shop(options);
    const tabs = await openTabs(context, shop.url, 3);
    const [first, second, third] = tabs as [Page, Page, Page];
    await first.bringToFront();
    const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
    await signInWithPopup(first, 'ada@example.com');
    await expectSignedIn(tabs);
    await expect(third.getByText('Members see this.')).toBeVisible();
    // The other tabs received the result from the first tab and sent no request.
    expect(requests.filter((request) => request === 'GET /oauth/userinfo').length).toBeLessThanOrEqual(1);

    await signOut(second);
    await Promise.all(tabs.map((tab) => expect(signInButton(tab)).toBeVisible()));
    await expect(third.getByText('Members see this.')).toBeHidden();
    await first.reload();
    await expect(signInButton(first)).toBeVisible();
  });
}

test('with tokens in memory each tab has its own session, and a sign-out reaches all tabs', async ({
  context,
  world,
}) => {
  const shop = await world.shop();
  const tabs = await openTabs(context, shop.url, 2);
  const [first, second] = tabs as [Page, Page];
  await signInWithPopup(first, 'ada@example.com');
  await expectSignedIn([first]);
  await expect(signInButton(second)).toBeVisible();
  await signInButton(second).click();
  await expectSignedIn(tabs);
  await signOut(second);
  await expect(signInButton(first)).toBeVisible();
});

// Twenty pages take much of the processor. The short form shows the same with a quarter of them.
for (const count of [5, 20]) {
  test(
    `${count} tabs at expiry send one refresh and stay signed in [credentials.refresh-rotates]`,
    longIf(count === 20),
    async ({ context, world }) => {
      test.slow();
      await context.clock.install({ time: world.clock.now() });
      const shop = await world.shop({ attributes: 'storage="local"' });
      const first = await context.newPage();
      await first.goto(shop.url);
      await signInWithPopup(first, 'ada@example.com');
      await expectSignedIn([first]);
      const tabs = [first, ...(await openTabs(context, shop.url, count - 1))];
      await expectSignedIn(tabs);

      const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
      for (const hour of [1, 2]) {
        // The response waits until the token has expired in every tab, so that all tabs refresh at once.
        let everyTabIsDue = () => {};
        const due = new Promise<void>((resolve) => {
          everyTabIsDue = resolve;
        });
        await context.route('**/oauth/token', async (route) => {
          await due;
          await route.continue();
        });
        world.clock.advance(59 * MINUTE + 30_000);
        await context.clock.fastForward(59 * MINUTE + 30_000);
        everyTabIsDue();
        await expect.poll(() => tokenHolders(tabs)).toEqual([1]);
        await context.unroute('**/oauth/token');
        expect(refreshesIn(requests)).toBe(hour);
        await expectSignedIn(tabs);
      }
    },
  );
}

/**
 * Returns the number of different tokens in the tabs that are valid beyond this hour. A tab without a token
 * counts as a different one.
 */
async function tokenHolders(tabs: readonly Page[]): Promise<number[]> {
  const tokens = await Promise.all(
    tabs.map((tab) =>
      loginOf(tab).evaluate((element) =>
        (element as unknown as { session: { getAccessToken(): Promise<string> } }).session
          .getAccessToken()
          .catch(String),
      ),
    ),
  );
  return [new Set(tokens).size];
}

test('a tab that slept past its token’s expiry refreshes once for all tabs when it becomes visible', {
  tag: LONG,
}, async ({ context, world }) => {
  await context.clock.install({ time: world.clock.now() });
  const shop = await world.shop({ attributes: 'storage="local"' });
  const tabs = await openTabs(context, shop.url, 3);
  await signInWithPopup(tabs[0] as Page, 'ada@example.com');
  await expectSignedIn(tabs);

  const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
  await sleep(context, world, 120 * MINUTE);
  expect(refreshesIn(requests)).toBe(0);
  await Promise.all(tabs.map(wake));
  await expect.poll(() => refreshesIn(requests)).toBe(1);
  await expect.poll(() => tokenHolders(tabs)).toEqual([1]);
  await expectSignedIn(tabs);
  expect(refreshesIn(requests)).toBe(1);
});

test('a tab that slept past the end of the session says so when it becomes visible, after one request', {
  tag: LONG,
}, async ({ page, context, world }) => {
  await context.clock.install({ time: world.clock.now() });
  const shop = await world.shop({ attributes: 'storage="local"' });
  await page.goto(shop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expectSignedIn([page]);
  const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
  await sleep(context, world, 31 * 24 * 60 * MINUTE);
  await wake(page);
  await expect(loginOf(page)).toContainText('Your session has ended');
  await wake(page);
  await page.reload();
  await expect(signInButton(page)).toBeVisible();
  expect(refreshesIn(requests)).toBe(1);
});

/** Advances the time without running any timer, as on a sleeping laptop. Timers stay paused until `wake`. */
async function sleep(context: BrowserContext, world: World, milliseconds: number): Promise<void> {
  const now = world.clock.now();
  world.clock.advance(milliseconds);
  await context.clock.pauseAt(now + 10 * MINUTE);
  await context.clock.setSystemTime(now + milliseconds);
}

async function wake(tab: Page): Promise<void> {
  await tab.context().clock.resume();
  await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
