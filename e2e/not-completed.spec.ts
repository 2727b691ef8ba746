import { JOURNEY, LONG, WHOLE_CHROMIUM } from './levels.js';
import { expect, openPopup, pickUser, signInButton, test } from './world.js';

test('after declined consent the widget says so and offers to sign in again', { tag: JOURNEY }, async ({
  page,
  world,
}) => {
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Decline' }).click();
  await closed;
  const login = page.locator('latchkey-login').first();
  await expect(login).toContainText(/declined|did not allow|not given/i);
  await expect(login.getByRole('button', { name: /try again|sign in/i }).first()).toBeVisible();
});

test('the widget detects a closed popup, and the next attempt succeeds', { tag: LONG }, async ({
  page,
  world,
}) => {
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  await popup.close();
  const login = page.locator('latchkey-login').first();
  await expect(login).toContainText(/closed/i);

  const opened = page.waitForEvent('popup');
  await login
    .getByRole('button', { name: /try again|sign in/i })
    .first()
    .click();
  const second = await opened;
  const secondClosed = second.waitForEvent('close');
  await pickUser(second, 'ada@example.com');
  await second.getByRole('button', { name: 'Allow' }).click();
  await secondClosed;
  await expect(login).toContainText('ada@example.com');
});

test('the widget explains a blocked popup, and the next click succeeds', { tag: WHOLE_CHROMIUM }, async ({
  page,
  world,
}) => {
  // Without a click, Chromium's popup blocker blocks the window. Until then the test must not evaluate code
  // in the page, because Chromium counts that as a gesture.
  await page.addInitScript(() => {
    addEventListener('latchkey-error', (event) => {
      // biome-ignore lint/suspicious/noConsole: how this page tells the test without being asked.
      console.log(`latchkey-error ${(event as CustomEvent<{ code: string }>).detail.code}`);
    });
    addEventListener('load', () => {
      setTimeout(
        () => document.querySelector<HTMLElement & { signIn(): void }>('latchkey-login')?.signIn(),
        300,
      );
    });
  });
  const reported = page.waitForEvent('console', (message) => message.text().startsWith('latchkey-error'));
  await page.goto(world.scriptTagShop.url);
  expect((await reported).text()).toBe('latchkey-error popup_blocked');
  const login = page.locator('latchkey-login').first();
  await expect(login).toContainText(/blocked/i);

  const opened = page.waitForEvent('popup');
  await login
    .getByRole('button', { name: /try again|sign in/i })
    .first()
    .click();
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await expect(login).toContainText('ada@example.com');
});

test('Cancel ends the sign-in and closes the popup', async ({ page, world }) => {
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await page
    .locator('latchkey-login')
    .first()
    .getByRole('button', { name: /cancel/i })
    .click();
  await closed;
  await expect(signInButton(page)).toBeVisible();
});
