import { LONG } from './levels.js';
import {
  expect,
  loginOf,
  recordPageErrors,
  signInButton,
  signInByRedirect,
  signInWithPopup,
  test,
} from './world.js';

/** Every shop already sends the strictest policy. This adds the allowed additions. */
function policy(service: string, connect: string): string {
  return [
    "default-src 'none'",
    `script-src ${service}`,
    `connect-src ${connect}`,
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
}

for (const [what, tag, options] of [
  ['a popup', [], {}],
  [
    'a redirect',
    [LONG],
    { attributes: 'mode="redirect" return-url="/signed-in"', redirectPaths: ['/signed-in'] },
  ],
  ['a popup and a backend', [LONG], { backend: true }],
  ['a redirect and a backend', [], { backend: true, attributes: 'mode="redirect"' }],
] as const) {
  test(`signing in by ${what}, a protected part and signing out violate no strict policy`, {
    tag: [...tag],
  }, async ({ page, context, world }) => {
    const pageErrors = await recordPageErrors(context);
    const service = world.service.baseUrl;
    const isBackend = 'backend' in options;
    const shop = await world.shop({
      ...options,
      // Only the protected part comes from the shop. All other requests go to the service.
      headers: {
        'Content-Security-Policy': policy(service, isBackend ? "'self'" : `${service} 'self'`),
      },
      more: '<latchkey-gate id="safe" src="/members"></latchkey-gate>',
    });
    await page.goto(shop.url);
    if ('attributes' in options) await signInByRedirect(page, 'ada@example.com');
    else await signInWithPopup(page, 'ada@example.com');
    await expect(page).toHaveURL(shop.url);
    await expect(loginOf(page)).toContainText('ada@example.com');
    await expect(page.getByText('Members see this.')).toBeVisible();
    await expect(page.getByText('The safe is behind the painting.')).toBeVisible();

    await loginOf(page).getByRole('button', { name: 'ada@example.com' }).click();
    // Adopted style sheets apply under this policy, so the widget is styled.
    await expect(loginOf(page).locator('[part=panel]')).toHaveCSS('position', 'absolute');
    await loginOf(page).getByRole('button', { name: 'Sign out' }).click();
    await expect(signInButton(page)).toBeVisible();
    await expect(page.getByText('The safe is behind the painting.')).toHaveCount(0);
    expect(pageErrors).toEqual([]);
  });
}

test('a policy that allows only the service permits a popup sign-in and its failures', async ({
  page,
  context,
  world,
}) => {
  const pageErrors = await recordPageErrors(context);
  const service = world.service.baseUrl;
  const shop = await world.shop({ headers: { 'Content-Security-Policy': policy(service, service) } });
  await page.goto(shop.url);
  await context.route('**/oauth/token', (route) => route.abort());
  await signInWithPopup(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('No connection');
  await context.unroute('**/oauth/token');
  await loginOf(page).getByRole('button', { name: 'Try again' }).click();
  await expect(loginOf(page)).toContainText('ada@example.com');
  expect(pageErrors).toEqual([]);
});
