import type { Visitor } from './visitor.js';
import { expect, test } from './webkit-world.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('a page that slept past the token’s expiry refreshes once when it becomes visible', async ({
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

test('two tabs that wake up together refresh once and stay signed in', async ({ visitor, world }) => {
  const shop = await world.shop({ attributes: 'storage="local"' });
  await visitor.goTo(shop.url);
  await signIn(visitor);
  const first = await visitor.driver.getWindowHandle();
  await visitor.driver.switchTo().newWindow('tab');
  await visitor.goTo(shop.url);
  await visitor.expectWidget('ada@example.com');
  const second = await visitor.driver.getWindowHandle();
  const kept = await visitor.evaluate<string>('JSON.stringify(localStorage)');

  world.clock.advance(61 * MINUTE);
  for (const tab of [first, second]) {
    await visitor.driver.switchTo().window(tab);
    await visitor.wakeUpAfter(61 * MINUTE);
  }
  let refreshes = -1;
  for (const tab of [first, second]) {
    await visitor.driver.switchTo().window(tab);
    await expect.poll(() => visitor.evaluate<string>('JSON.stringify(localStorage)')).not.toBe(kept);
    await visitor.expectWidget('ada@example.com');
    await visitor.expectGate('open');
    refreshes += await visitor.requests('/oauth/token');
  }
  expect(refreshes).toBe(1);
});

test('a session that can no longer be refreshed expires with a message, and one click signs in again', async ({
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
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.click('ada@example.com');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
});

test('tokens in session storage survive a reload without a refresh', async ({ visitor, world }) => {
  const shop = await world.shop({ attributes: 'storage="session"' });
  await visitor.goTo(shop.url);
  await signIn(visitor);
  await visitor.driver.navigate().refresh();
  await visitor.expectWidget('ada@example.com');
  expect(await visitor.requests('/oauth/token')).toBe(0);
});

async function signIn(visitor: Visitor): Promise<void> {
  await visitor.clickSignIn();
  await visitor.toPopup();
  await visitor.click('ada@example.com');
  await visitor.click('Allow');
  await visitor.backToPage();
  await visitor.expectWidget('ada@example.com');
}
