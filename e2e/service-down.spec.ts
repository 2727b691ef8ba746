import type { BrowserContext, Page } from '@playwright/test';
import { JOURNEY, LONG, longIf } from './levels.js';
import {
  expect,
  loginOf,
  openPopup,
  pickUser,
  recordPageErrors,
  signInButton,
  signInWithPopup,
  test,
} from './world.js';

const MINUTE = 60_000;

/** Records every status of the page's session, in order, from the moment the widget loads. */
async function recordStates(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const states: string[] = [];
    Object.assign(globalThis, { states });
    document.addEventListener('latchkey-change', (event) => {
      const { detail, target } = event as CustomEvent<{ status: string }>;
      if ((target as Element).localName === 'latchkey-login') states.push(detail.status);
    });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'states') as string[]);
}

async function allow(popup: Page): Promise<void> {
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
}

async function fail(context: BrowserContext, address: string, status?: number): Promise<() => Promise<void>> {
  await context.route(address, (route) =>
    status === undefined
      ? route.abort('connectionrefused')
      : route.fulfill({ status, headers: { 'access-control-allow-origin': '*' }, body: 'no' }),
  );
  return () => context.unroute(address);
}

test('an unreachable service leaves the button ready for another attempt', { tag: LONG }, async ({
  page,
  world,
}) => {
  const shop = await world.shop();
  const part = page.waitForResponse(/\/latchkey-sign-in\b/);
  await page.goto(shop.url);
  await (await part).finished();
  await world.service.close();
  const opened = page.waitForEvent('popup');
  await signInButton(page).click();
  const popup = await opened;
  await expect(loginOf(page)).toContainText('Continue in the sign-in window');
  await popup.close();
  await expect(loginOf(page)).toContainText('was closed before you were done');
  await expect(loginOf(page).getByRole('button', { name: 'Try again' })).toBeVisible();
});

/** The case of the short form. `console/under-faults.spec.ts` has an answer with status 503. */
const SHORT = 'token cannot be reached';

for (const [what, status, text] of [
  ['cannot be reached', undefined, 'No connection'],
  ['answers 503', 503, 'The sign-in service has a problem'],
] as const) {
  for (const endpoint of ['token', 'userinfo', 'memberships']) {
    test(
      `the widget reports a service whose ${endpoint} endpoint ${what}, and the next attempt succeeds`,
      longIf(SHORT !== `${endpoint} ${what}`),
      async ({ page, context, world }) => {
        const pageErrors = await recordPageErrors(context);
        const shop = await world.shop();
        await page.goto(shop.url);
        const mend = await fail(context, `**/oauth/${endpoint}`, status);
        await signInWithPopup(page, 'ada@example.com');
        await expect(loginOf(page)).toContainText(text);
        await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', 'signed-out');
        await mend();
        await loginOf(page).getByRole('button', { name: 'Try again' }).click();
        await expect(loginOf(page)).toContainText('ada@example.com');
        await expect(page.getByText('Members see this.')).toBeVisible();
        expect(pageErrors).toEqual([]);
      },
    );
  }
}

test("a callback that can't check the origin says so, and sends the code on the next attempt", {
  tag: LONG,
}, async ({ page, context, world }) => {
  const shop = await world.shop();
  await page.goto(shop.url);
  const mend = await fail(context, '**/oauth/client/**');
  const popup = await openPopup(page);
  await allow(popup);
  await expect(popup.getByRole('main')).toContainText('The connection failed');
  await mend();
  await popup.getByRole('button', { name: 'Try again' }).click();
  await expect(loginOf(page)).toContainText('ada@example.com');
});

test('the widget reports an unreachable backend, at the exchange and when it loads the session', async ({
  page,
  context,
  world,
}) => {
  const shop = await world.shop({ backend: true });
  await page.goto(shop.url);
  let mend = await fail(context, '**/auth/exchange');
  await signInWithPopup(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('No connection');
  await mend();
  await loginOf(page).getByRole('button', { name: 'Try again' }).click();
  await expect(loginOf(page)).toContainText('ada@example.com');

  mend = await fail(context, '**/auth/session*', 503);
  // The page's time stands still from the start, so that it doesn't try again by itself before the press.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.reload();
  const gate = page.locator('latchkey-gate');
  await expect(gate).toContainText('could not be looked up');
  // The gate shows the failure, so the login element does not repeat it.
  await expect(loginOf(page).getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await mend();
  await gate.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Members see this.')).toBeVisible();
});

test('without the service, signed-in visitors stay signed in, and others see the failure', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  const shop = await world.shop({ backend: true });
  await page.goto(shop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('ada@example.com');
  await world.service.close();
  const session = await page.request.get(`${shop.origin}/auth/session`);
  expect([200, 503]).toContain(session.status());
  await expect(page.getByText('Members see this.')).toBeVisible();
});

test('the widget retries a refresh that fails, and the session survives the outage', async ({
  page,
  context,
  world,
}) => {
  // The test controls the page's time, so that neither the token's expiry nor a retry happens by itself.
  await context.clock.install({ time: world.clock.now() });
  await context.clock.pauseAt(world.clock.now() + 1000);
  const shop = await world.shop();
  await page.goto(shop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('ada@example.com');
  const mend = await fail(context, '**/oauth/token', 503);
  const tried = page.waitForResponse('**/oauth/token');
  world.clock.advance(59 * MINUTE + 5000);
  await page.clock.fastForward(59 * MINUTE + 5000);
  await (await tried).finished();
  await expect(loginOf(page)).toContainText('ada@example.com');
  await mend();
  const refreshed = page.waitForResponse((response) => response.status() === 201);
  let isAsked = false;
  page.once('request', () => {
    isAsked = true;
  });
  // The page may not have scheduled its next attempt yet, so the test advances the time in small steps.
  while (!isAsked) await page.clock.runFor(1000);
  await (await refreshed).finished();
  await expect(page.getByText('Members see this.')).toBeVisible();
});

test("an outage longer than the token's lifetime ends the session, with a message and no further requests", async ({
  page,
  context,
  world,
}) => {
  await context.clock.install({ time: world.clock.now() });
  const shop = await world.shop();
  await page.goto(shop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('ada@example.com');
  await fail(context, '**/oauth/token', 503);
  const tried = page.waitForResponse('**/oauth/token');
  await page.clock.fastForward(61 * MINUTE);
  await tried;
  await expect(loginOf(page)).toContainText('Your session has ended');
  await expect(page.getByText('Members see this.')).toBeHidden();
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await page.clock.fastForward(60 * MINUTE);
  expect(asked).toEqual([]);
});

test('on a slow network the sign-in shows every state in order and succeeds', { tag: LONG }, async ({
  page,
  context,
  world,
}) => {
  const shop = await world.shop();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 300,
    downloadThroughput: 40_000,
    uploadThroughput: 20_000,
  });
  // The response waits until the test has seen the state.
  let answer = () => {};
  const isSeen = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/oauth/token', async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.goto(shop.url);
  const states = await recordStates(page);
  const popup = await openPopup(page);
  await allow(popup);
  await expect(loginOf(page)).toContainText('Finishing sign-in');
  await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', 'loading');
  answer();
  await expect(loginOf(page)).toContainText('ada@example.com');
  expect(await states()).toEqual(['opening', 'waiting', 'exchanging', 'signed-in']);
});

test('a visitor can cancel a request without a response, and a late response changes nothing', {
  tag: LONG,
}, async ({ page, context, world }) => {
  const shop = await world.shop();
  let answer = () => {};
  const responseDelay = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await context.route('**/oauth/token', async (route) => {
    await responseDelay;
    await route.continue().catch(() => undefined);
  });
  await page.goto(shop.url);
  const states = await recordStates(page);
  const popup = await openPopup(page);
  await allow(popup);
  await expect(loginOf(page)).toContainText('Finishing sign-in');
  await loginOf(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(signInButton(page)).toBeFocused();
  answer();
  await context.unroute('**/oauth/token');
  await signInButton(page).click();
  await expect(loginOf(page)).toContainText('ada@example.com');
  expect((await states()).filter((state) => state === 'signed-in')).toHaveLength(1);
});
