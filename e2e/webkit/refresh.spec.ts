import type { Visitor } from './visitor.js';
import { expect, test } from './webkit-world.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('a page that was asleep past the token’s end refreshes once when it is looked at again', async ({
  visitor,
  world,
}) => {
  await visitor.goTo(world.scriptTagShop.url);
  await signIn(visitor);
  for (const hour of [1, 2]) {
    world.clock.advance(61 * MINUTE);
    await visitor.wakeUpAfter(61 * MINUTE);
    await expect.poll(() => visitor.requests('/oauth/token')).toBe(1 + hour);
  }
  await visitor.expectWidget('ada@example.com');
  await visitor.expectGate('open');
});

test('a session that can no longer be refreshed ends as expired, in words, and one press starts anew', async ({
  visitor,
  world,
}) => {
  await visitor.goTo(world.scriptTagShop.url);
  await signIn(visitor);
  world.clock.advance(31 * DAY);
  await visitor.wakeUpAfter(31 * DAY);
  await visitor.expectWidget(/expired|has ended/i);
  await visitor.expectGate('signed-out');
  expect(await visitor.requests('/oauth/token')).toBe(2);
  await visitor.pressSignIn();
  await visitor.toPopup();
  await visitor.press('ada@example.com');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
});

async function signIn(visitor: Visitor): Promise<void> {
  await visitor.pressSignIn();
  await visitor.toPopup();
  await visitor.press('ada@example.com');
  await visitor.press('Allow');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
}
