import type { Page } from '@playwright/test';
import { clickForPopup, expectFailedSignIn, expectNoMessage, pageThatOpens } from './attacker-site.js';
import {
  forgedRequest,
  HOSTED,
  HOSTED_WITH_BACKEND,
  MODES,
  type Mode,
  REDIRECT,
  SELF_HOSTED,
  SELF_HOSTED_WITH_BACKEND,
  stateOf,
} from './modes.js';
import { expect, signInButton, test } from './world.js';

for (const mode of MODES) {
  test(`${mode.name}: a state over 1024 characters gets no code and completes no sign-in`, {
    tag: [...mode.tag],
  }, async ({ page, world }) => {
    const shop = await world.shop(mode.shop);
    const redirectUri = mode.redirectUriOf(shop, world);
    const state = stateOf({ o: shop.origin, padding: 'x'.repeat(1024) });
    const refused = await page.request.get(forgedRequest(world, shop, { redirect_uri: redirectUri, state }), {
      maxRedirects: 0,
    });
    expect(refused.status()).toBe(400);
    expect(refused.headers().location).toBeUndefined();

    const attacker = await world.attacker(() => pageThatOpens(`${redirectUri}?code=stolen&state=${state}`));
    await page.goto(attacker.url);
    const popup = await clickForPopup(page);
    await (ASSERTIONS_ON_CALLBACK[mode.name] ?? expectFailedSignIn)(popup);
    await expectNoMessage(page, attacker);
  });

  test(`${mode.name}: the callback page, opened by hand, says that there is no sign-in to complete`, {
    tag: [...mode.tag],
  }, async ({ page, world }) => {
    const shop = await world.shop(mode.shop);
    await page.goto(mode.redirectUriOf(shop, world));
    await (ASSERTIONS_ON_CALLBACK[mode.name] ?? expectFailedSignIn)(page);
  });

  test(`${mode.name}: the callback page sends nothing from inside a frame`, { tag: [...mode.tag] }, async ({
    page,
    world,
  }) => {
    const shop = await world.shop({ ...mode.shop, headers: { 'Content-Security-Policy': '' } });
    const answer = `${mode.redirectUriOf(shop, world)}?code=stolen&state=`;
    const attacker = await world.attacker(
      (origin) =>
        `<h1>Free coffee</h1><iframe title="prize" src="${answer}${stateOf({ o: origin })}"></iframe>`,
    );
    await page.goto(attacker.url);
    await ASSERTIONS_IN_FRAME[mode.name]?.(page);
    await expectNoMessage(page, attacker);
  });
}

const expectNoSignInToComplete = async (popup: Page) => {
  await expect(popup.getByRole('main')).toContainText('Nothing to finish here');
  await expect(popup.getByRole('button', { name: 'Close this window' })).toBeVisible();
};

/** Assertions on the redirect URI when it is opened by hand, by mode. */
const ASSERTIONS_ON_CALLBACK: Record<string, (popup: Page) => Promise<void>> = {
  [HOSTED.name]: expectNoSignInToComplete,
  [HOSTED_WITH_BACKEND.name]: expectNoSignInToComplete,
  [SELF_HOSTED.name]: expectNoSignInToComplete,
  [SELF_HOSTED_WITH_BACKEND.name]: expectNoSignInToComplete,
  [REDIRECT.name]: (popup) => expect(signInButton(popup)).toBeVisible(),
};

const framedPage = (page: Page) => page.frameLocator('iframe');

/** Asserts that the browser rejects the frame because of the page's headers. */
const expectEmptyFrame = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'Free coffee' })).toBeVisible();
  expect(
    page
      .frames()
      .map((frame) => frame.url())
      .filter((url) => url.includes('code=')),
  ).toEqual([]);
};

const expectFramingError = (page: Page) =>
  expect(framedPage(page).getByRole('main')).toContainText('This page must not be framed');

/** Assertions on the redirect URI inside a frame, by mode. */
const ASSERTIONS_IN_FRAME: Record<Mode['name'], (page: Page) => Promise<void>> = {
  [HOSTED.name]: expectEmptyFrame,
  [HOSTED_WITH_BACKEND.name]: expectEmptyFrame,
  // On a site that allows framing, the script protects the visitor.
  [SELF_HOSTED.name]: expectFramingError,
  [SELF_HOSTED_WITH_BACKEND.name]: expectFramingError,
  [REDIRECT.name]: (page) =>
    expect(framedPage(page).getByRole('button', { name: 'Sign in' }).first()).toBeVisible(),
  'redirect, backend': expectEmptyFrame,
};
