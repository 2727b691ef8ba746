import { JOURNEY } from './levels.js';
import { expect, recordRequests, signInWithPopup, test, waitForService } from './world.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('the widget refreshes the token before its expiry without interaction [credentials.refresh-rotates]', {
  tag: JOURNEY,
}, async ({ page, context, world }) => {
  await page.clock.install({ time: world.clock.now() });
  await page.goto(world.scriptTagShop.url);
  await signInWithPopup(page, 'ada@example.com');
  const login = page.locator('latchkey-login').first();
  await expect(login).toContainText('ada@example.com');

  const requests = recordRequests(context, new URL(world.service.baseUrl).origin);
  for (const hour of [1, 2, 3]) {
    world.clock.advance(59 * MINUTE + 30_000);
    // Waits for the refresh and its two reads. A clock that jumps during them would make them time out.
    const refreshed = Promise.all(
      ['token', 'userinfo', 'memberships'].map(async (endpoint) => {
        const response = await page.waitForResponse(
          (candidate) =>
            candidate.url().endsWith(`/oauth/${endpoint}`) && candidate.request().method() !== 'OPTIONS',
        );
        await response.finished();
      }),
    );
    await page.clock.fastForward(59 * MINUTE + 30_000);
    // If the page was still busy with the previous refresh, the next one is due a little later.
    await page.clock.runFor(1000);
    await refreshed;
    expect(requests.filter((request) => request === 'POST /oauth/token')).toHaveLength(hour);
  }
  await expect(login).toContainText('ada@example.com');
  await expect(page.locator('latchkey-gate').first()).toHaveJSProperty('state', 'open');
});

test('a session that can no longer be refreshed expires, with a message and a sign-in button', async ({
  page,
  world,
}) => {
  await page.clock.install({ time: world.clock.now() });
  await page.goto(world.scriptTagShop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.locator('latchkey-gate').first()).toHaveJSProperty('state', 'open');

  world.clock.advance(31 * DAY);
  await page.clock.fastForward(2 * 60 * MINUTE);
  const login = page.locator('latchkey-login').first();
  await expect(login).toContainText(/expired|has ended/i);
  await expect(page.locator('latchkey-gate').first()).not.toHaveJSProperty('state', 'open');

  const opened = page.waitForEvent('popup');
  await login
    .getByRole('button', { name: /sign in/i })
    .first()
    .click();
  const popup = await opened;
  await waitForService(popup);
  await popup.close();
});

test('the gate closes without a reload when the membership expires', { tag: JOURNEY }, async ({
  page,
  world,
}) => {
  await page.clock.install({ time: world.clock.now() });
  const { memberships } = await membershipsEnding(world, 20 * MINUTE);
  expect(memberships).toBe(1);
  const shop = await world.shop();
  await page.goto(shop.url);
  await signInWithPopup(page, 'ben@example.com');
  const members = page.locator('latchkey-gate').first();
  await expect(members).toHaveJSProperty('state', 'open');
  world.clock.advance(20 * MINUTE);
  await page.clock.fastForward(20 * MINUTE);
  await expect(members).toHaveJSProperty('state', 'locked');
});

test('the backend refreshes by itself, and a session over 30 days needs a new sign-in', async ({
  page,
  world,
}) => {
  const base = world.backendShop.url;
  await page.goto(base);
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');

  world.clock.advance(61 * MINUTE);
  const later = await page.request.get(`${base}/api/table`, { headers: { accept: 'application/json' } });
  expect(later.status()).toBe(200);

  world.clock.advance(31 * DAY);
  const muchLater = await page.request.get(`${base}/api/table`, { headers: { accept: 'application/json' } });
  expect(muchLater.status()).toBe(401);
  await page.goto(`${base}/table`);
  expect(new URL(page.url()).origin).toBe(new URL(world.service.baseUrl).origin);
});

async function membershipsEnding(
  world: import('./world.js').World,
  inMilliseconds: number,
): Promise<{ memberships: number }> {
  const { sandboxScenario } = await import('@latchkey/sandbox');
  await world.service.operator.grantMembership({
    userId: sandboxScenario.users.ben.id,
    productType: 'community',
    communityId: sandboxScenario.community.id,
    validFrom: world.clock.now(),
    validUntil: world.clock.now() + inMilliseconds,
  });
  return { memberships: 1 };
}
