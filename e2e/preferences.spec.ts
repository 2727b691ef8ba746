import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { longIf } from './levels.js';
import { expect, loginOf, openPopup, pickUser, signInButton, test } from './world.js';

const look = process.env.LATCHKEY_LOOK;

async function takePicture(page: Page, name: string): Promise<void> {
  if (look === undefined) return;
  mkdirSync(look, { recursive: true });
  await page.screenshot({ path: `${look}/${name}.png` });
}

const arabic = (service: string) =>
  `<script src="${service}/widget/latchkey.js" defer></script><script type="module" src="${service}/widget/messages/ar.js"></script>`;

/**
 * Walks through the states of a sign-in and asserts that axe finds no violation in any of them.
 * @param words Labels of the widget's buttons, and of the popup, which has the language of the page.
 */
async function walk(
  page: Page,
  name: string,
  words: Record<'cancel' | 'signOut' | 'tryAgain' | 'decline' | 'allow', string>,
) {
  // With forced colors, axe measures the colors of the page instead of the visitor's.
  const except = name.startsWith('forced') ? ['color-contrast'] : [];
  const login = loginOf(page);
  const main = login.locator('button[part=button]');
  await takePicture(page, `${name}-1-signed-out`);
  await expectNoViolations(page, { except });
  const opened = page.waitForEvent('popup');
  await main.click();
  const popup = await opened;
  await expect(login.getByRole('button', { name: words.cancel })).toBeVisible();
  await takePicture(page, `${name}-2-waiting`);
  await expectNoViolations(page, { except });
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: words.decline }).click();
  await expect(login.getByRole('button', { name: words.tryAgain })).toBeVisible();
  await takePicture(page, `${name}-3-declined`);
  await expectNoViolations(page, { except });
  const again = page.waitForEvent('popup');
  await login.getByRole('button', { name: words.tryAgain }).click();
  await (await again).getByRole('button', { name: words.allow }).click();
  await expect(main).toContainText('ada@example.com');
  await expect(main).toBeFocused();
  await main.click();
  await expect(login.getByRole('button', { name: words.signOut })).toBeVisible();
  await takePicture(page, `${name}-4-menu`);
  await expectNoViolations(page, { except });
  return { login, main };
}

// Neither the direction nor forced colors depend on the scheme, so the short form has each in one.
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test(
      'a right-to-left page has the widget in Arabic and mirrored, without a violation in any state',
      longIf(colorScheme === 'dark'),
      async ({ page, world }) => {
        const shop = await world.shop({
          language: 'lang="ar" dir="rtl"',
          scripts: arabic,
          styles: ':root { color-scheme: light dark; } body { font-family: sans-serif; margin: 1rem; }',
        });
        await page.goto(shop.url);
        await expect(signInButtonOf(page)).toHaveText('تسجيل الدخول');
        const { login } = await walk(page, `ar-${colorScheme}`, {
          cancel: 'إلغاء',
          signOut: 'تسجيل الخروج',
          tryAgain: 'حاول مرة أخرى',
          decline: 'الرفض',
          allow: 'السماح',
        });
        // Text and controls start at the right edge.
        const [button, panel] = await Promise.all([
          login.boundingBox(),
          login.locator('[part=panel]').boundingBox(),
        ]);
        const right = (box: { x: number; width: number } | null) => (box ? Math.round(box.x + box.width) : 0);
        expect(right(panel)).toBe(right(button));
        await expect(login.locator('[part=panel]')).toHaveCSS('direction', 'rtl');
      },
    );

    test(
      'with forced colours every state keeps its edges and has no violation',
      longIf(colorScheme === 'light'),
      async ({ page, world }) => {
        await page.emulateMedia({ forcedColors: 'active', colorScheme });
        const shop = await world.shop();
        await page.goto(shop.url);
        const { login, main } = await walk(page, `forced-${colorScheme}`, {
          cancel: 'Cancel',
          signOut: 'Sign out',
          tryAgain: 'Try again',
          decline: 'Decline',
          allow: 'Allow',
        });
        for (const part of [
          main,
          login.locator('[part=panel]'),
          login.getByRole('button', { name: 'Sign out' }),
        ]) {
          await expect(part).toHaveCSS('border-top-style', 'solid');
          await expect(part).not.toHaveCSS('border-top-width', '0px');
        }
      },
    );
  });
}

function signInButtonOf(page: Page) {
  return loginOf(page).locator('button[part=button]');
}

test('with reduced motion only a slow progress indicator moves', async ({ page, world }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const shop = await world.shop();
  await page.goto(shop.url);
  const moving = () =>
    loginOf(page)
      .locator('*')
      .evaluateAll((elements) =>
        elements
          .filter((element) => getComputedStyle(element).transitionDuration !== '0s')
          .map((element) => element.getAttribute('class')),
      );
  expect(await moving()).toEqual([]);
  const popup = await openPopup(page);
  await expect(loginOf(page).locator('.spinner').first()).toHaveCSS('animation-duration', '4s');
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await expect(loginOf(page)).toContainText('ada@example.com');
  expect(await moving()).toEqual([]);
});

test('with the keyboard alone a visitor signs in, opens the menu, closes it and signs out', async ({
  page,
  world,
}) => {
  const shop = await world.shop();
  await page.goto(shop.url);
  await page.keyboard.press('Tab');
  await expect(signInButton(page)).toBeFocused();
  const opened = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const popup = await opened;
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  const main = signInButtonOf(page);
  await expect(main).toContainText('ada@example.com');
  await expect(main).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(main).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(main).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await expect(loginOf(page).getByRole('link', { name: 'Manage account' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(loginOf(page).getByRole('button', { name: 'Switch account' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(loginOf(page).getByRole('button', { name: 'Sign out' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(signInButton(page)).toBeFocused();
});
