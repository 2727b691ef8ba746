import { LONG } from '../levels.js';
import { expect, test } from './webkit-world.js';

test('a member signs in through the popup, and the members-only part opens', async ({ visitor, world }) => {
  await visitor.goTo(world.scriptTagShop.url);
  await visitor.expectGate('signed-out');
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
  await visitor.expectGate('open');
  expect(await visitor.evaluate('document.activeElement.localName')).toBe('latchkey-login');
});

test('a visitor who declines sees a message, and the next click signs in', { tag: LONG }, async ({
  visitor,
  world,
}) => {
  await visitor.goTo(world.scriptTagShop.url);
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.click('ada@example.com');
  await visitor.click('Decline');
  await visitor.backToPage();
  await visitor.expectWidget('You declined');
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.click('Allow');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
});

test('the widget detects a closed popup, and the next click succeeds', async ({ visitor, world }) => {
  await visitor.goTo(world.scriptTagShop.url);
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.driver.close();
  await visitor.backToPage();
  await visitor.expectWidget(/closed/);
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
});

test('with a backend, a popup sign-in creates a session that survives a reload', async ({
  visitor,
  world,
}) => {
  const shop = await world.shop({ backend: true });
  await visitor.goTo(shop.url);
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
  await visitor.driver.navigate().refresh();
  await visitor.expectWidget('ada@example.com');
  expect(await visitor.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
    '',
    0,
    0,
  ]);
});

test('a page that severs its popups shows the cause, and the next click redirects', async ({
  visitor,
  world,
}) => {
  const shop = await world.shop({
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin' },
    attributes: 'return-url="/signed-in"',
    redirectPaths: ['/signed-in'],
  });
  await visitor.goTo(`${shop.origin}/beans`);
  await visitor.clickSignIn();
  await visitor.expectFailure('opener_severed');
  await visitor.closeOthers();
  await visitor.clickSignIn();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.expectAddress(`${shop.origin}/beans`);
  await visitor.expectWidget('ada@example.com');
});
