import { expect, test } from './webkit-world.js';

const BY_REDIRECT = { attributes: 'mode="redirect" return-url="/signed-in"', redirectPaths: ['/signed-in'] };

test('the page goes to the service and comes back to where the visitor was, with a clean address', async ({
  visitor,
  world,
}) => {
  const shop = await world.shop(BY_REDIRECT);
  const wanted = `${shop.origin}/beans?roast=dark#grind`;
  await visitor.goTo(wanted);
  await visitor.pressSignIn();
  await visitor.press('ada@example.com');
  await visitor.press('Allow');
  await visitor.expectAddress(wanted);
  await visitor.expectWidget('ada@example.com');
  await visitor.expectGate('open');
  expect(await visitor.evaluate('sessionStorage.length')).toBe(0);
  expect(shop.requests.filter((request) => request.includes('code='))).toHaveLength(1);
});

test('who declines comes back too, and is told', async ({ visitor, world }) => {
  const shop = await world.shop(BY_REDIRECT);
  await visitor.goTo(`${shop.origin}/beans`);
  await visitor.pressSignIn();
  await visitor.press('ada@example.com');
  await visitor.press('Decline');
  await visitor.expectAddress(`${shop.origin}/beans`);
  await visitor.expectWidget('You declined');
});

test('who turns round at the service finds the button as it was', async ({ visitor, world }) => {
  const shop = await world.shop(BY_REDIRECT);
  await visitor.goTo(`${shop.origin}/beans`);
  await visitor.pressSignIn();
  await visitor.expectButton('ada@example.com');
  await visitor.driver.navigate().back();
  await visitor.expectWidget('Sign in');
  await visitor.pressSignIn();
  await visitor.press('ada@example.com');
  await visitor.press('Allow');
  await visitor.expectWidget('ada@example.com');
});

test('with a backend the kit’s own sign-in does it, and the page holds no token', async ({
  visitor,
  world,
}) => {
  const shop = await world.shop({ backend: true, attributes: 'mode="redirect"' });
  await visitor.goTo(`${shop.origin}/beans`);
  await visitor.pressSignIn();
  await visitor.press('ada@example.com');
  await visitor.press('Allow');
  await visitor.expectAddress(`${shop.origin}/beans`);
  await visitor.expectWidget('ada@example.com');
  expect(await visitor.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
    '',
    0,
    0,
  ]);
});
