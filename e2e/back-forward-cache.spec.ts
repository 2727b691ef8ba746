import { WHOLE_CHROMIUM } from './levels.js';
import { expect, loginOf, signInButton, signInWithPopup, test } from './world.js';

// Playwright turns the back-forward cache off, and the headless shell has none.
test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const { ignoreDefaultArgs } = launchOptions;
      const ignored = Array.isArray(ignoreDefaultArgs) ? ignoreDefaultArgs : [];
      await use({ ...launchOptions, ignoreDefaultArgs: [...ignored, '--disable-back-forward-cache'] });
    },
    { scope: 'worker' },
  ],
});

/** Time at which the page came from the cache, and the times of its lookups of the session, in milliseconds. */
interface Times {
  restoredAt?: number;
  lookups: number[];
}

// The message of the widget in the other tab removes the page from the cache, so that it loads anew.
for (const { button, isRestored } of [
  { button: 'the site’s own button', isRestored: true },
  { button: 'the widget', isRestored: false },
]) {
  test(`going back to a page closes its gate at once after a sign-out in another tab with ${button}`, {
    tag: WHOLE_CHROMIUM,
  }, async ({ page, context, world }) => {
    const shop = await world.shop({ backend: true });
    const elsewhere = await world.site(() => '<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>');
    await page.goto(shop.url);
    await signInWithPopup(page, 'ada@example.com');
    await expect(page.getByText('Members see this.')).toBeVisible();
    await page.evaluate(() => {
      addEventListener('pageshow', ({ persisted, timeStamp }) => {
        if (persisted) Object.assign(window, { restoredAt: timeStamp });
      });
    });
    await page.goto(elsewhere.url);
    const tab = await context.newPage();
    await tab.goto(shop.url);
    await expect(loginOf(tab)).toContainText('ada@example.com');
    if (isRestored) await tab.evaluate(() => fetch('/auth/logout', { method: 'POST' }));
    else {
      await loginOf(tab).getByRole('button', { name: 'ada@example.com' }).click();
      await loginOf(tab).getByRole('button', { name: 'Sign out' }).click();
      await expect(signInButton(tab)).toBeVisible();
    }
    await tab.close();
    // `page.goBack()` waits for a load event.
    await page.evaluate(() => history.back());
    await expect(page.getByText('Elsewhere')).toBeHidden();
    await expect(signInButton(page)).toBeVisible();
    await expect(page.getByText('Members see this.')).toBeHidden();
    const { restoredAt, lookups } = await page.evaluate<Times>(() => ({
      restoredAt: Reflect.get(window, 'restoredAt'),
      lookups: performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/auth/session'))
        .map(({ startTime }) => startTime),
    }));
    expect(restoredAt !== undefined).toBe(isRestored);
    // A page that is shown for another reason waits up to five seconds.
    if (restoredAt !== undefined) expect(Number(lookups.at(-1)) - restoredAt).toBeLessThan(1000);
  });
}
