import type { Page } from '@playwright/test';
import { expect, loginOf, openPopup, pickUser, test } from './world.js';

/** Milliseconds after the first rendering, just before the buttons appear and just after. */
const [BEFORE, AFTER] = [795, 805];

/** Moves the animations of the buttons to a time of their own clock and stops them there. */
async function stopButtonsAt(page: Page, milliseconds: number): Promise<void> {
  const stopped = await page.evaluate((time) => {
    const animations = document.getAnimations();
    for (const animation of animations) {
      animation.pause();
      animation.currentTime = time;
    }
    return animations.length;
  }, milliseconds);
  expect(stopped).toBe(2);
}

/** Returns the texts of the buttons that a click at their place and the Tab key reach. */
async function reachedButtons(page: Page): Promise<{ pointer: string[]; keyboard: string[] }> {
  const pointer = await page.locator('.decision .button').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return hit?.closest('button')?.textContent ?? [];
    }),
  );
  const keyboard = await page.locator('.decision .button').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      (button as HTMLButtonElement).focus();
      return document.activeElement === button ? (button.textContent ?? '') : [];
    }),
  );
  return { pointer, keyboard };
}

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test.describe(`with reduced motion: ${reducedMotion}`, () => {
    test.use({ reducedMotion });

    test('the buttons of the consent page exist for neither pointer nor keyboard in the first 0.8 seconds', async ({
      page,
      world,
    }) => {
      await page.goto(world.scriptTagShop.url);
      const popup = await openPopup(page);
      // The animations stop as soon as the page exists, however long the test takes to ask.
      await popup.addInitScript(() => {
        addEventListener('DOMContentLoaded', () => {
          for (const animation of document.getAnimations()) animation.pause();
        });
      });
      await pickUser(popup, 'ada@example.com');
      await popup.waitForURL(/\/oauth\/consent/);
      await popup.waitForLoadState();
      await stopButtonsAt(popup, BEFORE);
      expect(await reachedButtons(popup)).toEqual({ pointer: [], keyboard: [] });

      await stopButtonsAt(popup, AFTER);
      const both = ['Decline', 'Allow'];
      expect(await reachedButtons(popup)).toEqual({ pointer: both, keyboard: both });
      const closed = popup.waitForEvent('close');
      await popup.getByRole('button', { name: 'Allow' }).click();
      await closed;
      await expect(loginOf(page)).toContainText('ada@example.com');
    });
  });
}
