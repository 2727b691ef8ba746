import { LONG } from '../levels.js';
import { expect, test } from './webkit-world.js';

const BY_REDIRECT = { attributes: 'mode="redirect" return-url="/signed-in"', redirectPaths: ['/signed-in'] };

test('a sign-in by redirect returns to the visitor’s page with a clean address', async ({
  visitor,
  world,
}) => {
  const shop = await world.shop(BY_REDIRECT);
  const wanted = `${shop.origin}/beans?roast=dark#grind`;
  await visitor.goTo(wanted);
  await visitor.clickSignIn();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.expectAddress(wanted);
  await visitor.expectWidget('ada@example.com');
  await visitor.expectGate('open');
  expect(await visitor.evaluate('sessionStorage.length')).toBe(0);
  expect(shop.requests.filter((request) => request.includes('code='))).toHaveLength(1);
});

test('a visitor who declines returns too, with a message', { tag: LONG }, async ({ visitor, world }) => {
  const shop = await world.shop(BY_REDIRECT);
  await visitor.goTo(`${shop.origin}/beans`);
  await visitor.clickSignIn();
  await visitor.click('ada@example.com');
  await visitor.click('Decline');
  await visitor.expectAddress(`${shop.origin}/beans`);
  await visitor.expectWidget('You declined');
});

test('a visitor who goes back from the service finds the button unchanged', { tag: LONG }, async ({
  visitor,
  world,
}) => {
  const shop = await world.shop(BY_REDIRECT);
  await visitor.goTo(`${shop.origin}/beans`);
  await visitor.clickSignIn();
  await visitor.expectButton('ada@example.com');
  await visitor.driver.navigate().back();
  await visitor.expectWidget('Sign in');
  await visitor.clickSignIn();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.expectWidget('ada@example.com');
});

test('with a backend, the kit signs in by redirect, and the page has no token', async ({
  visitor,
  world,
}) => {
  const shop = await world.shop({ backend: true, attributes: 'mode="redirect"' });
  await visitor.goTo(`${shop.origin}/beans`);
  await visitor.clickSignIn();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.expectAddress(`${shop.origin}/beans`);
  await visitor.expectWidget('ada@example.com');
  expect(await visitor.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
    '',
    0,
    0,
  ]);
});
