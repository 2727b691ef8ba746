import type { Page } from '@playwright/test';
import {
  type AttackerSite,
  clickForPopup,
  expectFailedSignIn,
  expectNoMessage,
  pageThatOpens,
  readAsOpener,
  watchSecrets,
} from './attacker-site.js';
import {
  forgedRequest,
  HOSTED,
  HOSTED_WITH_BACKEND,
  MODES,
  POPUP_MODES,
  REDIRECT,
  SELF_HOSTED,
  SELF_HOSTED_WITH_BACKEND,
  stateOf,
} from './modes.js';
import { expect, loginOf, openPopup, pickUser, signInAtService, signInButton, test } from './world.js';

async function allow(popup: Page): Promise<void> {
  await pickUser(popup, 'ada@example.com');
  await popup.getByRole('button', { name: 'Allow' }).click();
}

/** Modes in which the service refuses the page before sign-in and consent, so that no code exists. */
const REFUSED_AT_ONCE: readonly string[] = [HOSTED.name, HOSTED_WITH_BACKEND.name];

/** Asserts that there were secrets, and that none of them reached the attacker. */
function expectNothingStolen(attacker: AttackerSite, secrets: readonly string[]): void {
  expect(secrets).not.toEqual([]);
  const received = attacker.received.join('\n');
  for (const secret of secrets) expect(received).not.toContain(secret);
}

/** Assertions on the window after a sign-in that the attacker's page started, by mode. */
const ASSERTIONS_AFTER_SIGN_IN: Record<string, (popup: Page, origin: string) => Promise<void>> = {
  [HOSTED.name]: expectOriginRejection,
  [HOSTED_WITH_BACKEND.name]: expectOriginRejection,
  [SELF_HOSTED.name]: expectOriginRejection,
  [SELF_HOSTED_WITH_BACKEND.name]: expectOriginRejection,
  [REDIRECT.name]: async (popup) => {
    await expect(signInButton(popup)).toBeVisible();
    await expect(popup.getByText('Members see this.')).toBeHidden();
  },
};

/** Asserts that the callback page sent its message, and leaves closing the window to the site. */
async function expectFinished(popup: Page): Promise<void> {
  await expect(popup.getByRole('heading', { name: 'You can close this window' })).toBeVisible();
}

async function expectOriginRejection(popup: Page, origin: string): Promise<void> {
  const main = popup.getByRole('main');
  await expect(main).toContainText('This site may not receive your sign-in');
  await expect(main).toContainText(origin);
  expect(new URL(popup.url()).search).toBe('');
}

for (const mode of MODES) {
  test(`${mode.name}: a foreign page that starts the sign-in gets no code, and the visitor stays signed out`, {
    tag: [...mode.tag],
  }, async ({ page, context, world }) => {
    const secrets = watchSecrets(context);
    const shop = await world.shop(mode.shop);
    const attacker = await world.attacker((origin) =>
      pageThatOpens(
        forgedRequest(world, shop, {
          redirect_uri: mode.redirectUriOf(shop, world),
          state: stateOf({ o: origin, r: origin, returnTo: origin, c: shop.clientId }),
        }),
      ),
    );
    await page.goto(attacker.url);
    const popup = await clickForPopup(page);
    if (!REFUSED_AT_ONCE.includes(mode.name)) await allow(popup);
    await (ASSERTIONS_AFTER_SIGN_IN[mode.name] ?? expectFailedSignIn)(popup, attacker.origin);
    if (REFUSED_AT_ONCE.includes(mode.name)) expect(secrets).toEqual([]);
    else {
      expectNothingStolen(attacker, secrets);
      // Any message would tell the page that the visitor has allowed the client.
      await expectNoMessage(page, attacker);
    }
  });
}

// Every callback page posts its message with the same script, so the short form has one.
for (const mode of POPUP_MODES) {
  test(`${mode.name}: a foreign page that names the site’s origin receives nothing, and cannot tell whether the visitor has allowed the client`, {
    tag: [...mode.tag],
  }, async ({ page, context, world }) => {
    const secrets = watchSecrets(context);
    const shop = await world.shop(mode.shop);
    const attacker = await world.attacker(() =>
      pageThatOpens(
        forgedRequest(world, shop, {
          redirect_uri: mode.redirectUriOf(shop, world),
          state: stateOf({ o: shop.origin }),
        }),
      ),
    );
    await signInAtService(page, world, 'Ada Member');
    await page.goto(attacker.url);
    const asking = await clickForPopup(page);
    await expect(asking.getByRole('button', { name: 'Allow' })).toBeVisible();
    const beforeConsent = await readAsOpener(page, asking, attacker);
    await asking.close();

    const allowing = await clickForPopup(page);
    await allowing.getByRole('button', { name: 'Allow' }).click();
    await expectFinished(allowing);
    await allowing.close();
    expect(secrets).not.toEqual([]);

    const allowed = await clickForPopup(page);
    await expectFinished(allowed);
    expect(await readAsOpener(page, allowed, attacker)).toEqual(beforeConsent);
    expect(beforeConsent).toEqual({ closed: false, frames: 0, entries: 2 });
    await expectNoMessage(page, attacker);
    expectNothingStolen(attacker, secrets);
  });
}

for (const mode of MODES) {
  test(`${mode.name}: the policy of a foreign page reports no redirect, whether the visitor has allowed the client or not`, {
    tag: [...mode.tag],
  }, async ({ page, world }) => {
    const shop = await world.shop(mode.shop);
    const redirectUri = mode.redirectUriOf(shop, world);
    const request = new URL(
      forgedRequest(world, shop, { redirect_uri: redirectUri, state: stateOf({ o: shop.origin }) }),
    );
    const fields = [...request.searchParams].map(([name, value]) => {
      const field = `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`;
      return field;
    });
    const { baseUrl } = world.service;
    const attacker = await world.attacker(
      () =>
        `<meta http-equiv="Content-Security-Policy" content="form-action ${baseUrl}"><form target="_blank" rel="opener" action="${baseUrl}/oauth/authorize">${fields.join('')}<button>Play</button></form><script>window.reports = []; addEventListener('securitypolicyviolation', ({ blockedURI }) => window.reports.push(blockedURI));</script>`,
    );
    await signInAtService(page, world, 'Ada Member');
    await page.goto(attacker.url);
    const asking = await clickForPopup(page);
    await asking.getByRole('button', { name: 'Allow' }).click();
    await asking.waitForURL((url) => url.href.startsWith(redirectUri) || url.origin === shop.origin);
    await asking.close();
    const allowed = await clickForPopup(page);
    await allowed.waitForURL((url) => url.href.startsWith(redirectUri) || url.origin === shop.origin);
    expect(await page.evaluate(() => (window as unknown as { reports: string[] }).reports)).toEqual([]);
  });
}

for (const mode of MODES) {
  test(`${mode.name}: a code of the attacker's own account does not sign the visitor in`, {
    tag: [...mode.tag],
  }, async ({ page, world, browser }) => {
    const shop = await world.shop(mode.shop);
    const redirectUri = mode.redirectUriOf(shop, world);
    // The attacker signs in as Ben, and records the redirect instead of following it.
    const state = stateOf({ o: shop.origin });
    const own = await browser.newContext();
    const mallory = await own.newPage();
    let answer = '';
    mallory.on('request', (request) => {
      if (request.url().startsWith(`${redirectUri}?`)) answer = request.url();
    });
    await mallory.goto(forgedRequest(world, shop, { redirect_uri: redirectUri, state }));
    await pickUser(mallory, 'ben@example.com');
    await mallory.getByRole('button', { name: 'Allow' }).click();
    await expect.poll(() => answer).toContain('code=');
    await own.close();

    // The visitor has started a sign-in. The attacker leads them to the recorded redirect, by a link and in a
    // popup.
    await page.goto(shop.url);
    const attacker = await world.attacker(() => pageThatOpens(answer));
    const lure = await page.context().newPage();
    await lure.goto(attacker.url);
    const popup = await clickForPopup(lure);
    await lure.goto(answer);
    // The callback posts the result to the origin named in it, so this page receives nothing.
    if (mode.usesPopup) await expect(popup.getByRole('main')).toContainText(/close this window/i);
    else await expect(popup.locator('body')).not.toContainText('ben@example.com');
    await expect(lure.locator('body')).not.toContainText('ben@example.com');
    await page.reload();
    await expect(signInButton(page)).toBeVisible();
    await expect(loginOf(page)).not.toContainText('ben@example.com');
    expect(attacker.received.join()).not.toContain('POST /message');
  });
}

// The same script again.
for (const mode of POPUP_MODES) {
  test(`${mode.name}: a page that replaced the one that started the sign-in receives nothing`, {
    tag: [...mode.tag],
  }, async ({ page, context, world }) => {
    const secrets = watchSecrets(context);
    const shop = await world.shop(mode.shop);
    const attacker = await world.attacker(() => '<h1>Free coffee</h1>');
    await page.goto(shop.url);
    const popup = await openPopup(page);
    await page.goto(attacker.url);
    await allow(popup);
    await expectFinished(popup);
    await expectNoMessage(page, attacker);
    expectNothingStolen(attacker, secrets);
    await page.goto(shop.url);
    await expect(signInButton(page)).toBeVisible();
  });
}

for (const mode of MODES) {
  test(`${mode.name}: an open redirect on the allowed site does not leak a code`, {
    tag: [...mode.tag],
  }, async ({ page, context, world }) => {
    const secrets = watchSecrets(context);
    const attacker = await world.attacker(() => '<h1>Free coffee</h1>');
    const shop = await world.shop({ ...mode.shop, opensRedirects: true });
    const away = `/go?to=${encodeURIComponent(attacker.url)}`;

    // As the redirect URI itself: rejected, and not followed.
    const named = await page.request.get(
      forgedRequest(world, shop, { redirect_uri: `${shop.origin}${away}` }),
      {
        maxRedirects: 0,
      },
    );
    expect(named.status()).toBe(400);
    expect(named.headers().location).toBeUndefined();

    // Wrapped around the registered redirect URI, with a fragment that would carry the result.
    const wrapped = await page.request.get(
      forgedRequest(world, shop, { redirect_uri: `${mode.redirectUriOf(shop, world)}?next=${away}` }),
      { maxRedirects: 0 },
    );
    expect(wrapped.status()).toBe(400);

    // Started on the site itself, on the page that redirects away once the visitor is back.
    if (mode.usesPopup && !mode.shop.backend) return;
    if (mode.shop.backend) {
      await page.goto(`${shop.origin}/auth/login?returnTo=${encodeURIComponent(away)}`);
    } else {
      await page.goto(shop.url);
      await page.evaluate((path) => history.replaceState(null, '', path), away);
      await signInButton(page).click();
    }
    await allow(page);
    // The form at the service leads to the kit. The form's policy forbids redirects past the app.
    if (mode.shop.backend) await expect.poll(() => shop.requests.join()).toContain('GET /go?');
    else await expect(page).toHaveURL(attacker.url);
    expectNothingStolen(attacker, secrets);
  });
}

test('a return address in the state of a redirect, or of the kit’s login, leads only to the site', async ({
  page,
  context,
  world,
}) => {
  const secrets = watchSecrets(context);
  const attacker = await world.attacker(() => '<h1>Free coffee</h1>');
  const standalone = await world.shop(REDIRECT.shop);
  const smuggled = stateOf({
    o: attacker.origin,
    r: attacker.url,
    from: attacker.url,
    returnTo: attacker.url,
  });
  await page.goto(
    forgedRequest(world, standalone, { redirect_uri: `${standalone.origin}/signed-in`, state: smuggled }),
  );
  await allow(page);
  await expect(signInButton(page)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(standalone.origin);

  const shop = await world.shop({ backend: true });
  for (const returnTo of [
    attacker.url,
    `//${new URL(attacker.url).host}`,
    `/\\${new URL(attacker.url).host}/`,
  ]) {
    await page.goto(`${shop.origin}/auth/login?returnTo=${encodeURIComponent(returnTo)}`);
    if (new URL(page.url()).origin !== shop.origin) await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page).toHaveURL(shop.url);
    await page.context().clearCookies({ domain: 'localhost' });
  }
  expectNothingStolen(attacker, secrets);
  expect(attacker.received).toEqual([]);
});
