import { JOURNEY, longIf, MAIN_FLOW, WINDOWS } from './levels.js';
import {
  expect,
  loginOf,
  openPopup,
  pickUser,
  recordRequests,
  signInButton,
  signInByRedirect,
  test,
} from './world.js';

const BY_REDIRECT = { attributes: 'mode="redirect" return-url="/signed-in"', redirectPaths: ['/signed-in'] };

test('mode="redirect" brings the visitor back to where they were, signed in, with a clean address', {
  tag: [JOURNEY, ...MAIN_FLOW],
}, async ({ page, context, world }) => {
  const shop = await world.shop(BY_REDIRECT);
  const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
  const wanted = `${shop.origin}/beans?roast=dark#grind`;
  await page.goto(wanted);
  await signInByRedirect(page, 'ada@example.com');

  await expect(page).toHaveURL(wanted);
  await expect(loginOf(page)).toContainText('ada@example.com');
  await expect(page.getByText('Members see this.')).toBeVisible();
  // The code reached only the return page, and no history entry contains it.
  expect(shop.requests.filter((request) => request.includes('code='))).toHaveLength(1);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect(requests.filter((request) => request === 'POST /oauth/token')).toHaveLength(1);
});

test('going back in the history finds no code and keeps the visitor signed in', { tag: WINDOWS }, async ({
  page,
  world,
}) => {
  const shop = await world.shop({
    attributes: `${BY_REDIRECT.attributes} storage="session"`,
    redirectPaths: BY_REDIRECT.redirectPaths,
  });
  await page.goto(`${shop.origin}/first`);
  await page.goto(`${shop.origin}/second`);
  await signInByRedirect(page, 'ada@example.com');
  await expect(page).toHaveURL(`${shop.origin}/second`);
  await expect(loginOf(page)).toContainText('ada@example.com');
  await page.goBack();
  expect(new URL(page.url()).origin).toBe(new URL(world.service.baseUrl).origin);
  expect(page.url()).not.toContain('code=');
  await page.goForward();
  await expect(page).toHaveURL(`${shop.origin}/second`);
  await expect(loginOf(page)).toContainText('ada@example.com');
});

test('a visitor who declines returns to their page with a message', async ({ page, world }) => {
  const shop = await world.shop(BY_REDIRECT);
  await page.goto(`${shop.origin}/beans`);
  await signInButton(page).click();
  await pickUser(page, 'ada@example.com');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page).toHaveURL(`${shop.origin}/beans`);
  await expect(loginOf(page)).toContainText('You declined');
  await page.reload();
  await expect(loginOf(page)).not.toContainText('You declined');
});

test('a visitor who goes back from the service finds the button unchanged', { tag: WINDOWS }, async ({
  page,
  world,
}) => {
  const shop = await world.shop(BY_REDIRECT);
  await page.goto(`${shop.origin}/beans`);
  await signInButton(page).click();
  await expect(page.getByRole('button', { name: 'ada@example.com' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${shop.origin}/beans`);
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await signInByRedirect(page, 'ada@example.com');
  await expect(loginOf(page)).toContainText('ada@example.com');
});

test('with a backend, the kit signs in by redirect, and the page has no token', {
  tag: [JOURNEY, ...MAIN_FLOW],
}, async ({ page, context, world }) => {
  const shop = await world.shop({ backend: true, attributes: 'mode="redirect"' });
  const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
  await page.goto(`${shop.origin}/beans?roast=dark#grind`);
  await signInByRedirect(page, 'ada@example.com');
  await expect(page).toHaveURL(`${shop.origin}/beans?roast=dark#grind`);
  await expect(loginOf(page)).toContainText('ada@example.com');
  await expect(page.getByText('Members see this.')).toBeVisible();
  expect(requests).not.toContain('POST /oauth/token');
  expect(await page.evaluate(() => [document.cookie, sessionStorage.length, localStorage.length])).toEqual([
    '',
    0,
    0,
  ]);
});

test('a visitor who declines a backend’s sign-in sees a message and can try again', async ({
  page,
  world,
}) => {
  const shop = await world.shop({ backend: true, attributes: 'mode="redirect"' });
  await page.goto(`${shop.origin}/beans`);
  await signInButton(page).click();
  await pickUser(page, 'ada@example.com');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('main')).toContainText('You declined access');
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(`${shop.origin}/beans`);
  await expect(loginOf(page)).toContainText('ada@example.com');
});

for (const backend of [false, true]) {
  test(
    `in a browser without popups the click redirects the page (${backend ? 'backend' : 'standalone'})`,
    longIf(backend),
    async ({ page, world }) => {
      const shop = await world.shop(
        backend ? { backend } : { attributes: 'return-url="/signed-in"', redirectPaths: ['/signed-in'] },
      );
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await page.goto(`${shop.origin}/beans`);
      // Without a click, a page that went away by itself would be a surprise.
      await loginOf(page).evaluate((login) => {
        Object.defineProperty(navigator, 'userActivation', {
          value: { isActive: false },
          configurable: true,
        });
        Reflect.get(login, 'signIn').call(login);
        Reflect.deleteProperty(navigator, 'userActivation');
      });
      await expect(loginOf(page)).toContainText('Allow pop-ups for this site');
      await signInByRedirect(page, 'ada@example.com');
      await expect(page).toHaveURL(`${shop.origin}/beans`);
      await expect(loginOf(page)).toContainText('ada@example.com');
    },
  );
}

test.describe('in the browser of an app', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Instagram 350.0.0',
  });

  test('the widget opens no window', async ({ page, context, world }) => {
    const shop = await world.shop({ attributes: 'return-url="/signed-in"', redirectPaths: ['/signed-in'] });
    await page.goto(shop.url);
    await signInByRedirect(page, 'ada@example.com');
    await expect(loginOf(page)).toContainText('ada@example.com');
    expect(context.pages()).toHaveLength(1);
  });
});

test('without a return page the widget explains the blocked popup', async ({ page, world }) => {
  const shop = await world.shop();
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(shop.url);
  await signInButton(page).click();
  await expect(loginOf(page)).toContainText('Allow pop-ups for this site');
});

test('a frame whose popup is blocked keeps its page, since the service can’t be framed', async ({
  page,
  world,
}) => {
  const shop = await world.shop({ backend: true, headers: { 'content-security-policy': '' } });
  const site = await world.site(
    () => `<iframe sandbox="allow-scripts allow-same-origin" src="${shop.url}"></iframe>`,
  );
  await page.goto(site.url);
  const login = page.frameLocator('iframe').locator('latchkey-login').first();
  await login.getByRole('button', { name: 'Sign in' }).click();
  await expect(login).toContainText('Allow pop-ups for this site');
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Corner Shop' })).toBeVisible();
});

test('a gated page in a frame of another site leads out of the frame to sign in', async ({ page, world }) => {
  const shop = await world.shop({ backend: true });
  const site = await world.site(() => `<iframe src="${shop.origin}/members"></iframe>`);
  await page.goto(site.url);
  await page.frameLocator('iframe').getByRole('link', { name: 'Sign in' }).click();
  await pickUser(page, 'ada@example.com');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page).toHaveURL(`${shop.origin}/members`);
  await expect(page.getByText('The safe is behind the painting.')).toBeVisible();
});

test('mode="redirect" without a return page tells the visitor, and logs the missing attribute for the owner', async ({
  page,
  world,
}) => {
  const shop = await world.shop({ attributes: 'mode="redirect"' });
  const logged = page.waitForEvent('console', (message) => message.type() === 'error');
  await page.goto(shop.url);
  await signInButton(page).click();
  await expect(loginOf(page)).toContainText('not set up correctly');
  expect((await logged).text()).toContain(`return-url: must be a page of ${shop.origin}`);
});

test('the service rejects an unregistered return page and names the problem', async ({ page, world }) => {
  const shop = await world.shop({ attributes: 'mode="redirect" return-url="/signed-in"' });
  await page.goto(shop.url);
  await signInButton(page).click();
  await page.waitForURL(`${world.service.baseUrl}/**`);
  await expect(page.locator('body')).toContainText('redirect_uri is not registered for this client');
});

test('a self-hosted callback sends the code like the service’s own', { tag: WINDOWS }, async ({
  page,
  context,
  world,
}) => {
  const shop = await world.shop({ attributes: 'callback-url="/callback"', redirectPaths: ['/callback'] });
  const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
  await page.clock.install({ time: world.clock.now() });
  await page.goto(shop.url);
  await expect(signInButton(page)).toBeVisible();
  // After 8 s without a response, the widget asks for the reason. On a slow machine this sign-in takes longer.
  await page.clock.pauseAt(world.clock.now() + 10 * 60_000);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await expect(loginOf(page)).toContainText('ada@example.com');
  // The site's own pages need no permission.
  expect(requests.some((request) => request.includes('/oauth/client/'))).toBe(false);
});
