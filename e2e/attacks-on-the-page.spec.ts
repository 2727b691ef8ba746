import { watchSecrets } from './attacker-site.js';
import { HOSTED, POPUP_MODES } from './modes.js';
import {
  expect,
  loginOf,
  openPopup,
  pickUser,
  recordPageErrors,
  signInButton,
  test,
  waitForService,
} from './world.js';

// The attacks are on the page of the widget, which is the same in each mode. So the short form has one.
for (const mode of POPUP_MODES) {
  test(`${mode.name}: ignores a flood of forged messages and accepts the real result`, {
    tag: [...mode.tag],
  }, async ({ page, context, world }) => {
    const pageErrors = await recordPageErrors(context);
    const secrets = watchSecrets(context);
    const shop = await world.shop(mode.shop);
    // The opener of the shop's window may post messages to it.
    const attacker = await world.attacker(
      () => `<button id="go">Win</button><script>
        const type = 'latchkey:authorization-response';
        const shapes = [null, 0, '', 'x'.repeat(100000), [], {}, { type }, { type, state: 'x' }, { type, state: {} },
          { type, code: 'stolen', state: 'x' }, { type, code: {}, state: [] }, { type, error: 'access_denied', state: 'x' },
          new Map([['type', type]]), new ArrayBuffer(8), new Error(type), { type: { toString: 1 } }];
        go.onclick = () => {
          const shop = window.open(${JSON.stringify(shop.url)});
          setInterval(() => { for (let i = 0; i < 200; i++) shop.postMessage(shapes[i % shapes.length], '*'); }, 50);
        };</script>`,
    );
    await page.goto(attacker.url);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button').click();
    const site = await opened;
    const popup = await openPopup(site);
    const closed = popup.waitForEvent('close');
    await pickUser(popup, 'ada@example.com');
    await popup.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await expect(loginOf(site)).toContainText('ada@example.com');
    expect(pageErrors).toEqual([]);
    expect(secrets).not.toEqual([]);
    for (const secret of secrets) expect(attacker.received.join('\n')).not.toContain(secret);
  });

  test(`${mode.name}: opens a new window although an attacker holds the name of the previous one`, {
    tag: [...mode.tag],
  }, async ({ page, world }) => {
    const shop = await world.shop(mode.shop);
    await page.goto(shop.url);
    const first = await openPopup(page);
    const name = await first.evaluate(() => window.name);
    expect(name).toMatch(/^latchkey-\d{1,10}(,\d{1,10}){7}$/);
    await first.close();
    await expect(loginOf(page)).toContainText('was closed');

    // An attacker takes the window name, in case the widget uses it again.
    const taken = page.waitForEvent('popup');
    await page.evaluate((used) => void window.open('about:blank', used), name);
    const trap = await taken;
    const opened = page.waitForEvent('popup');
    await loginOf(page).getByRole('button', { name: 'Try again' }).click();
    const popup = await opened;
    await waitForService(popup);
    expect(popup).not.toBe(trap);
    expect(await popup.evaluate(() => window.name)).not.toBe(name);
    expect(trap.url()).toBe('about:blank');
    await pickUser(popup, 'ada@example.com');
    await popup.getByRole('button', { name: 'Allow' }).click();
    await expect(loginOf(page)).toContainText('ada@example.com');
  });

  test(`${mode.name}: ends the sign-in on a result with another state, and never redeems its code`, {
    tag: [...mode.tag],
  }, async ({ page, context, world }) => {
    const bodies: string[] = [];
    context.on('request', (request) => {
      if (/\/oauth\/token$|\/auth\/exchange$/.test(request.url())) bodies.push(request.postData() ?? '');
    });
    const shop = await world.shop(mode.shop);
    await page.goto(shop.url);
    const popup = await openPopup(page);
    const redirectUri = mode.redirectUriOf(shop, world);
    // From the right window and the right origin. Only the callback could send it.
    await Promise.all([
      popup.waitForURL(redirectUri),
      popup.evaluate((url) => location.assign(url), redirectUri),
    ]);
    const closed = popup.waitForEvent('close');
    await popup.evaluate(
      (origin) =>
        window.opener.postMessage(
          { type: 'latchkey:authorization-response', code: 'stolen', state: 'another' },
          origin,
        ),
      shop.origin,
    );
    await closed;
    await expect(loginOf(page)).toContainText('This sign-in has expired');
    expect(bodies).toEqual([]);
  });

  test(`${mode.name}: ignores the right result from the wrong window`, { tag: [...mode.tag] }, async ({
    page,
    context,
    world,
  }) => {
    const bodies: string[] = [];
    context.on('request', (request) => {
      if (/\/oauth\/token$|\/auth\/exchange$/.test(request.url())) bodies.push(request.postData() ?? '');
    });
    const shop = await world.shop(mode.shop);
    await page.goto(shop.url);
    const popup = await openPopup(page);
    // The real state. The test knows it only because it reads the popup's address.
    const address = new URL(popup.url());
    const asked = new URL(address.searchParams.get('continue') ?? '', address);
    const state = asked.searchParams.get('state') ?? 'none';
    const forged = { type: 'latchkey:authorization-response', code: 'stolen', state };
    // From the page itself, and from another window at the callback's address.
    await page.evaluate((message) => window.postMessage(message, '*'), forged);
    const opened = page.waitForEvent('popup');
    await page.evaluate((url) => void window.open(url), mode.redirectUriOf(shop, world));
    const other = await opened;
    await expect(other.getByRole('main')).toContainText('Nothing to finish here');
    await other.evaluate(([message, origin]) => window.opener.postMessage(message, origin), [
      forged,
      shop.origin,
    ] as const);
    await other.close();
    const closed = popup.waitForEvent('close');
    await pickUser(popup, 'ada@example.com');
    await popup.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await expect(loginOf(page)).toContainText('ada@example.com');
    expect(bodies).toHaveLength(1);
    expect(bodies.join()).not.toContain('stolen');
  });
}

const MARKUP = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>&amp;"\'';

test('the service escapes markup in the name, description and logo of a client', async ({
  page,
  context,
  world,
}) => {
  const pageErrors = await recordPageErrors(context);
  const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>')}`;
  const shop = await world.shop({
    client: { name: MARKUP, description: `${MARKUP} and more`, logoUrl: logo },
  });
  await page.goto(shop.url);
  const popup = await openPopup(page);
  await pickUser(popup, 'ada@example.com');
  await expect(popup.getByRole('heading', { level: 1 })).toContainText(MARKUP);
  await expect(popup.getByText(`${MARKUP} and more`)).toBeVisible();
  expect(await popup.title()).toContain(MARKUP);
  await expect(popup.locator('b, img[src=x]')).toHaveCount(0);
  await popup.getByRole('button', { name: 'Allow' }).click();
  await expect(loginOf(page)).toContainText('ada@example.com');

  const callback = await context.newPage();
  await callback.goto(HOSTED.redirectUriOf(shop, world));
  await expect(callback.locator('b, img')).toHaveCount(0);
  await callback.goto(`${world.service.baseUrl}/account`);
  await expect(callback.getByText(MARKUP).first()).toBeVisible();
  await expect(callback.locator('b, img[src=x]')).toHaveCount(0);
  expect(await callback.title()).not.toBe('owned');
  expect(pageErrors).toEqual([]);
  for (const logoUrl of ['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x']) {
    await expect(world.shop({ client: { logoUrl } })).rejects.toThrow('logoUrl');
  }
});

for (const mode of POPUP_MODES) {
  test(`${mode.name}: neither the widget nor the callback renders markup from an error`, {
    tag: [...mode.tag],
  }, async ({ page, context, world }) => {
    const pageErrors = await recordPageErrors(context);
    const shop = await world.shop(mode.shop);
    await page.goto(shop.url);
    const popup = await openPopup(page);
    const address = new URL(popup.url());
    const asked = new URL(address.searchParams.get('continue') ?? '', address);
    const answer = new URL(mode.redirectUriOf(shop, world));
    answer.search = new URLSearchParams({
      error: MARKUP,
      error_description: MARKUP,
      state: asked.searchParams.get('state') ?? '',
    }).toString();
    const closed = popup.waitForEvent('close');
    await popup.evaluate((url) => location.assign(url), answer.href);
    await closed;
    await expect(loginOf(page)).toContainText('The sign-in service has a problem');
    await expect(page.locator('b, img')).toHaveCount(0);
    expect(await page.title()).toBe('Corner Shop');
    expect(pageErrors).toEqual([]);
  });
}

test('the widget renders no markup from the token response', async ({ page, context, world }) => {
  const pageErrors = await recordPageErrors(context);
  const shop = await world.shop();
  await context.route('**/oauth/token', (route) =>
    route.fulfill({
      status: 400,
      headers: { 'access-control-allow-origin': '*' },
      json: { error: 'invalid_request', error_description: MARKUP },
    }),
  );
  await page.goto(shop.url);
  const popup = await openPopup(page);
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await expect(loginOf(page)).toContainText('not set up correctly');
  await expect(page.locator('b, img')).toHaveCount(0);
  expect(await page.title()).toBe('Corner Shop');
  await expect(signInButton(page)).toBeVisible();
  expect(pageErrors).toEqual([]);
});

test('the kit renders no markup from the error of a redirect', async ({ page, context, world }) => {
  const pageErrors = await recordPageErrors(context);
  const shop = await world.shop({ backend: true });
  await page.goto(
    `${shop.origin}/auth/callback?error=${encodeURIComponent(MARKUP)}&state=x&error_description=${encodeURIComponent(MARKUP)}`,
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign-in could not be completed');
  await expect(page.locator('b, img')).toHaveCount(0);
  expect(await page.title()).not.toBe('owned');
  expect(pageErrors).toEqual([]);
});
