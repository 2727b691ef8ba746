import { sandboxScenario } from '@latchkey/sandbox';
import type { Locator, Page } from '@playwright/test';
import { pressCalmly, rest } from './calm-press.js';
import { JOURNEY } from './levels.js';
import { openCheckout } from './open-checkout.js';
import { expect, signInAtService, test, type World } from './world.js';

const { confidentialClient } = sandboxScenario;

/** Pages with a decision, each with its button. */
const PAGES: Record<string, { open(page: Page, world: World): Promise<void>; button: RegExp }> = {
  'the consent page': {
    open: async (page, world) => {
      await page.goto(authorizationRequest(world));
    },
    button: /^Allow$/,
  },
  'the payment': {
    open: async (page, world) => {
      const back = world.scriptTagShop.url;
      await page.goto(await openCheckout(world, { successUrl: back, cancelUrl: back }));
    },
    button: /^Pay/,
  },
  'leaving a community': {
    open: async (page, world) => {
      await page.goto(`${world.service.baseUrl}/account`);
      await page
        .getByRole('link', { name: /^Leave/ })
        .first()
        .click();
    },
    button: /^Leave/,
  },
};

function authorizationRequest({ backendShop, service }: World): string {
  const query = {
    ...{ client_id: confidentialClient.clientId, redirect_uri: `${backendShop.url}/auth/callback` },
    ...{ scope: 'memberships.read', state: 'x' },
  };
  return `${service.baseUrl}/oauth/authorize?${new URLSearchParams(query)}`;
}

/** Counts the forms that the page sends, from now on. */
function countPosts(page: Page): { count: number } {
  const posts = { count: 0 };
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.isNavigationRequest()) posts.count += 1;
  });
  return posts;
}

async function centreOf(button: Locator): Promise<{ x: number; y: number }> {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error('The button has no box.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function pressAt(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
}

/** A press that does not count says so. */
const hintOf = (page: Page) => page.getByText('That was too quick');

for (const [name, { open, button }] of Object.entries(PAGES)) {
  test(`${name}: only a calm press counts, and it counts at once`, { tag: JOURNEY }, async ({
    page,
    world,
  }) => {
    await page.goto(world.service.baseUrl);
    await signInAtService(page, world, 'Ada Member');
    await open(page, world);
    const decision = page.getByRole('main').getByRole('button', { name: button });
    const posts = countPosts(page);
    const there = await centreOf(decision);

    // The second press of a double click whose first one closed a window in front of this page, which was loaded long before.
    await page.waitForTimeout(700);
    await pressAt(page, there);
    await expect(hintOf(page)).toBeVisible();
    const [hint, box] = [await hintOf(page).boundingBox(), await decision.boundingBox()];
    expect((hint?.y ?? 0) + (hint?.height ?? 0), 'end of the hint, above the button').toBeLessThan(
      box?.y ?? 0,
    );
    // A series of presses at the same place, faster and slower.
    for (const pause of [60, 120, 250]) {
      for (let presses = 0; presses < 6; presses += 1) {
        await pressAt(page, there);
        await page.waitForTimeout(pause);
      }
    }
    // The same with a hand that is not quite still.
    for (let presses = 0; presses < 6; presses += 1) {
      await pressAt(page, { x: there.x + (presses % 2), y: there.y });
      await page.waitForTimeout(120);
    }
    // The mouse arrives from elsewhere on the page, and presses on arrival.
    await page.mouse.move(5, 5);
    await page.waitForTimeout(700);
    await pressAt(page, there);
    // The window comes to the front under a mouse that has rested on the button.
    await rest(decision);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await pressAt(page, there);
    // The window was moved or resized under the mouse.
    await rest(decision);
    await page.evaluate(() => dispatchEvent(new Event('resize')));
    await pressAt(page, there);
    expect(posts.count).toBe(0);

    await rest(decision);
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(() => posts.count).toBe(1);
  });
}

for (const key of ['Enter', 'Space'] as const) {
  test(`a held ${key} key does not consent, nor one that is pressed as the page opens`, {
    tag: JOURNEY,
  }, async ({ page, world }) => {
    await page.goto(world.service.baseUrl);
    await signInAtService(page, world, 'Ada Member');
    await page.keyboard.down(key);
    await page.goto(authorizationRequest(world));
    const allow = page.getByRole('button', { name: 'Allow' });
    const posts = countPosts(page);
    await allow.focus();
    for (let repeats = 0; repeats < 30; repeats += 1) {
      await page.keyboard.down(key);
      await page.waitForTimeout(33);
    }
    await page.keyboard.up(key);
    await page.reload();
    await allow.focus();
    await page.keyboard.press(key);
    await expect(hintOf(page)).toBeVisible();
    expect(posts.count).toBe(0);
    await pressCalmly(page, key);
    await expect.poll(() => posts.count).toBe(1);
  });
}

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('a tap consents, unless it is one of a series or comes as the page opens', { tag: JOURNEY }, async ({
    page,
    world,
  }) => {
    await page.clock.install({ time: world.clock.now() });
    await page.goto(world.service.baseUrl);
    await signInAtService(page, world, 'Ada Member');
    await page.goto(authorizationRequest(world));
    const posts = countPosts(page);
    const { x, y } = await centreOf(page.getByRole('button', { name: 'Allow' }));
    await page.clock.pauseAt(world.clock.now() + 3_600_000);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    for (let taps = 0; taps < 6; taps += 1) {
      await page.touchscreen.tap(x, y);
      await page.clock.runFor(120);
    }
    await expect(hintOf(page)).toBeVisible();
    expect(posts.count).toBe(0);
    await page.clock.runFor(700);
    await page.touchscreen.tap(x, y);
    await expect.poll(() => posts.count).toBe(1);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the mouse has to rest on the form', { tag: JOURNEY }, async ({ page, world }) => {
    const { baseUrl } = world.service;
    await page.goto(
      `${baseUrl}/sign-in?${new URLSearchParams({ continue: new URL(authorizationRequest(world)).pathname + new URL(authorizationRequest(world)).search })}`,
    );
    await page.getByRole('button', { name: 'ada@example.com' }).click();
    const allow = page.getByRole('button', { name: 'Allow' });
    const posts = countPosts(page);
    const there = await centreOf(allow);
    await page.waitForTimeout(700);
    for (let presses = 0; presses < 10; presses += 1) {
      await pressAt(page, there);
      await page.waitForTimeout(120);
    }
    expect(posts.count).toBe(0);
    await page.mouse.move(0, 0);
    await page.mouse.move(there.x, there.y);
    await page.waitForTimeout(700);
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(() => posts.count).toBe(1);
  });
});
