import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { LONG } from '../levels.js';
import { expect, loginOf, openPopup, pickUser, signInWithPopup, test, type World } from '../world.js';

const { community, users } = sandboxScenario;
const MINUTE = 60_000;

// What the visitor sees at these ends is also in `expiry.spec.ts` and `backend.spec.ts`, without the presets of the clock. Those
// tests are long.
const ALSO_ELSEWHERE = { tag: LONG };

/** Moves the service to an instant of its data, and the page by the same time. */
async function moveBoth(
  page: Page,
  world: World,
  move: () => Promise<{ from: string; serviceTime: string }>,
): Promise<void> {
  const { from, serviceTime } = await move();
  await page.clock.fastForward(Date.parse(serviceTime) - Date.parse(from));
  await page.clock.runFor(1000);
  expect(world.service.clock.now()).toBeGreaterThanOrEqual(Date.parse(serviceTime));
}

const gate = (page: Page) => page.locator('latchkey-gate').first();

test('the end of a sign-in code: the visitor is told, and signs in with a new one', { tag: LONG }, async ({
  page,
  world,
}) => {
  const shop = await world.shop();
  await page.goto(shop.url);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  const send = async () => {
    await popup.getByLabel(/e-?mail/i).fill(users.ada.email);
    await popup.getByRole('button', { name: /code/i }).click();
    await expect(popup.getByLabel(/code/i)).toBeVisible();
  };
  const enter = async () => {
    const code = world.service.mailbox?.codeFor(users.ada.email) ?? 'none';
    await popup.getByLabel(/code/i).fill(code);
    await popup.getByRole('button', { name: /^(sign in|continue|verify)/i }).click();
    return code;
  };
  await send();
  const { happened } = await world.service.control.clock.moveToPreset('next-code-expiry');
  expect(happened).toContainEqual(expect.objectContaining({ kind: 'code-expiry', id: users.ada.email }));
  const old = await enter();
  await expect(popup.getByText('This code has expired or was already used.')).toBeVisible();
  await send();
  expect(await enter()).not.toBe(old);
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await expect(gate(page)).toHaveJSProperty('state', 'open');
});

test(
  'the end of an authorization code: the widget says so, and its button signs in',
  ALSO_ELSEWHERE,
  async ({ page, context, world }) => {
    const shop = await world.shop();
    await page.goto(shop.url);
    // The code expires on its way: while the exchange is held back, the clock moves.
    await context.route('**/oauth/token', async (route) => {
      const { happened } = await world.service.control.clock.moveToPreset('next-code-expiry');
      expect(happened).toContainEqual(expect.objectContaining({ kind: 'code-expiry', id: shop.clientId }));
      await route.continue();
    });
    await signInWithPopup(page, users.ada.email);
    await expect(loginOf(page)).toContainText('This sign-in took too long and has expired. Try again.');
    await expect(gate(page)).toHaveJSProperty('state', 'signed-out');
    await context.unroute('**/oauth/token');
    await loginOf(page).getByRole('button', { name: 'Try again' }).click();
    await expect(gate(page)).toHaveJSProperty('state', 'open');
  },
);

test(
  'the end of the refresh token: the page says that the session has ended, and one click signs in',
  ALSO_ELSEWHERE,
  async ({ page, world }) => {
    await page.clock.install({ time: world.clock.now() });
    const shop = await world.shop();
    await page.goto(shop.url);
    await signInWithPopup(page, users.ada.email);
    await expect(gate(page)).toHaveJSProperty('state', 'open');
    const { happened } = await world.service.control.clock.moveToPreset('refresh-token-expiry');
    expect(happened.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['access-token-expiry', 'refresh-token-expiry']),
    );
    // The page slept meanwhile, and wakes after the end of its access token.
    await page.clock.fastForward(2 * 60 * MINUTE);
    await expect(loginOf(page)).toContainText('Your session has ended');
    await expect(gate(page)).not.toHaveJSProperty('state', 'open');
    const opened = page.waitForEvent('popup');
    await loginOf(page).getByRole('button', { name: 'Sign in again' }).click();
    const popup = await opened;
    const closed = popup.waitForEvent('close');
    await pickUser(popup, users.ada.email);
    await closed;
    await expect(gate(page)).toHaveJSProperty('state', 'open');
  },
);

test('the end of the access token: the session goes on silently', ALSO_ELSEWHERE, async ({ page, world }) => {
  await page.clock.install({ time: world.clock.now() });
  const shop = await world.shop();
  await page.goto(shop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(gate(page)).toHaveJSProperty('state', 'open');
  const refreshed = page.waitForResponse(
    (response) => response.url().endsWith('/oauth/token') && response.ok(),
  );
  await moveBoth(page, world, () => world.service.control.clock.moveToPreset('access-token-expiry'));
  await (await refreshed).finished();
  await expect(loginOf(page)).toContainText('ada@example.com');
  await expect(gate(page)).toHaveJSProperty('state', 'open');
});

test('the end of a membership: the gate closes without a reload', ALSO_ELSEWHERE, async ({ page, world }) => {
  await page.clock.install({ time: world.clock.now() });
  const { id } = await world.service.operator.grantMembership({
    userId: users.ben.id,
    productType: 'community',
    communityId: community.id,
    validUntil: world.clock.now() + 20 * MINUTE,
  });
  const shop = await world.shop();
  await page.goto(shop.url);
  await signInWithPopup(page, 'ben@example.com');
  await expect(gate(page)).toHaveJSProperty('state', 'open');
  await moveBoth(page, world, () =>
    world.service.control.clock.moveToMembership({ membershipId: id, to: 'end' }),
  );
  await expect(gate(page)).toHaveJSProperty('state', 'locked');
});

test('the next renewal: access that is paid goes on, and access whose card is declined ends', async ({
  browser,
  world,
}) => {
  const { control } = world.service;
  await control.scenarios.add('failing-payments');
  const renewal = await control.clock.moveToPreset('next-renewal');
  expect(renewal.happened.map(({ eventType }) => eventType)).toEqual(
    expect.arrayContaining(['payment.success', 'payment.failed']),
  );
  await control.clock.advance(61 * MINUTE);
  const shop = await world.shop();
  for (const [email, state] of [
    ['paula@example.com', 'open'],
    ['petra@example.com', 'locked'],
  ] as const) {
    const page = await browser.newPage();
    await page.goto(shop.url);
    await signInWithPopup(page, email);
    await expect(gate(page)).toHaveJSProperty('state', state);
    await page.close();
  }
});

test('the start of a drop: the page of the shop says that it has started', async ({ page, world }) => {
  const address = `${world.backendShop.url}/drop`;
  await page.goto(address);
  await expect(page.getByText('It starts in')).toBeVisible();
  const moved = await world.service.control.clock.moveToPreset('next-drop-start');
  expect(moved.happened.map(({ kind }) => kind)).toContain('drop-start');
  await page.reload();
  await expect(page.getByText('It has started')).toBeVisible();
});
