import { LONG, WINDOWS } from './levels.js';
import { expect, loginOf, openPopup, pickUser, signInButton, signInByRedirect, test } from './world.js';

const COOP = { 'Cross-Origin-Opener-Policy': 'same-origin' };

test('a page whose header severs its popup informs the visitor on the page and the owner on the console', {
  tag: WINDOWS,
}, async ({ page, world }) => {
  const shop = await world.shop({ headers: COOP });
  const logged = page.waitForEvent('console', (message) => message.type() === 'error');
  await page.goto(shop.url);
  const popup = await openPopup(page);
  await expect(loginOf(page)).toContainText('The sign-in window cannot answer this page');
  expect((await logged).text()).toContain('Cross-Origin-Opener-Policy: same-origin');

  // A visitor who continues in the window anyway also gets an explanation.
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await expect(popup.getByRole('main')).toContainText('cut it off from this window');
  await expect(popup.getByRole('main')).toContainText('same-origin-allow-popups');
  expect(popup.url()).not.toContain('code=');
});

for (const [what, options] of [
  ['a return page', { attributes: 'return-url="/signed-in"', redirectPaths: ['/signed-in'] }],
  ['a backend', { backend: true }],
] as const) {
  test(`such a page with ${what} signs in without a popup from the second click on`, { tag: LONG }, async ({
    page,
    world,
  }) => {
    const shop = await world.shop({ ...options, headers: COOP });
    await page.goto(`${shop.origin}/beans`);
    const popup = await openPopup(page);
    await expect(loginOf(page)).toContainText('The sign-in window cannot answer this page');
    await popup.close();
    await loginOf(page).getByRole('button', { name: 'Try again' }).click();
    await pickUser(page, 'ada@example.com');
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page).toHaveURL(`${shop.origin}/beans`);
    await expect(loginOf(page)).toContainText('ada@example.com');
  });
}

test('a cross-origin isolated page opens no popup', async ({ page, context, world }) => {
  const shop = await world.shop({
    attributes: 'return-url="/signed-in"',
    redirectPaths: ['/signed-in'],
    headers: { ...COOP, 'Cross-Origin-Embedder-Policy': 'require-corp' },
  });
  await page.goto(shop.url);
  await signInByRedirect(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('ada@example.com');
  expect(context.pages()).toHaveLength(1);
});

test('a page with same-origin-allow-popups signs in by popup', async ({ page, world }) => {
  const shop = await world.shop({ headers: { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' } });
  await page.goto(shop.url);
  const popup = await openPopup(page);
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await expect(loginOf(page)).toContainText('ada@example.com');
});

test('a popup that the visitor closes does not count as severed, even if the page’s headers are unreadable', async ({
  page,
  context,
  world,
}) => {
  const pageErrors: string[] = [];
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) pageErrors.push(message.text());
  });
  await context.clock.install({ time: world.clock.now() });
  const service = world.service.baseUrl;
  const shop = await world.shop({
    headers: {
      'Content-Security-Policy': `default-src 'none'; script-src ${service}; connect-src ${service}`,
    },
  });
  await page.goto(shop.url);
  const popup = await openPopup(page);
  await page.clock.fastForward(30_000);
  await popup.close();
  await page.clock.runFor(2000);
  await expect(loginOf(page)).toContainText('was closed');
  await expect(signInButton(page)).toBeVisible();
  expect(pageErrors).toEqual([]);
});
