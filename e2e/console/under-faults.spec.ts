import { LatchkeyClient } from '@latchkey/client';
import { sandboxApiKeyOf, sandboxScenario } from '@latchkey/sandbox';
import { LONG, longIf } from '../levels.js';
import { expect, loginOf, signInWithPopup, test } from '../world.js';

const { community } = sandboxScenario;

test('an answer that is lost after the commit: the client repeats the call, and nothing happens twice', async ({
  world,
}) => {
  const { service } = world;
  const client = new LatchkeyClient({
    serviceUrl: service.baseUrl,
    apiKey: sandboxApiKeyOf(service.serviceNames),
  });
  service.control.faults.add({
    effect: { kind: 'answer-lost' },
    endpoint: 'provisionExternal',
    times: 1,
  });
  const membership = await client.provisionExternal({
    communityId: community.id,
    externalOrderId: 'order-1',
    email: 'ben@example.com',
  });
  expect(membership.status).toBe('idempotent_return');
  expect(service.control.faults.list()).toMatchObject([{ changed: 1 }]);
});

// The widget answers a malformed body like a status. Its own tests have lost and late answers.
for (const [effect, text] of [
  [{ kind: 'status', status: 503 }, 'The sign-in service has a problem'],
  [{ kind: 'reset' }, 'No connection'],
  [{ kind: 'malformed' }, 'The sign-in service has a problem'],
] as const) {
  test(
    `${effect.kind} of userinfo: the widget says so, keeps the gate closed, and recovers by its button`,
    longIf(effect.kind !== 'status'),
    async ({ page, world }) => {
      const shop = await world.shop();
      await page.goto(shop.url);
      const { faults } = world.service.control;
      // Chromium repeats a request by itself if a connection that it has used before is reset.
      const isRepeated = effect.kind === 'reset';
      // A 503 is asked for again once. No more: a preflight that used the fault up would leave the call itself unharmed.
      const times = effect.kind === 'status' ? 2 : 1;
      faults.add({ effect, endpoint: 'userinfo', ...(!isRepeated && { times }) });
      await signInWithPopup(page, 'ada@example.com');
      await expect(loginOf(page)).toContainText(text);
      await expect(page.getByText('Members see this.')).toBeHidden();
      if (!isRepeated) expect(faults.list()).toMatchObject([{ changed: times }]);
      faults.clear();
      await loginOf(page).getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByText('Members see this.')).toBeVisible();
    },
  );
}

for (const effect of [
  { kind: 'latency', ms: 1500 },
  { kind: 'drip', ms: 1500 },
] as const) {
  test(`${effect.kind} of the token endpoint: the widget shows that it waits, and signs in`, {
    tag: LONG,
  }, async ({ page, world }) => {
    const shop = await world.shop();
    await page.goto(shop.url);
    world.service.control.faults.add({ effect, endpoint: 'token', times: 1 });
    await signInWithPopup(page, 'ada@example.com');
    await expect(loginOf(page)).toContainText('Finishing sign-in');
    await expect(page.getByText('Members see this.')).toBeVisible();
    expect(world.service.control.faults.list()).toMatchObject([{ changed: 1 }]);
  });
}

test('a 503 of the memberships: the gate of the kit says that it cannot look, and opens afterwards', async ({
  page,
  world,
}) => {
  const shop = await world.shop({ backend: true });
  await page.goto(shop.url);
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.getByText('Members see this.')).toBeVisible();
  const { faults } = world.service.control;
  faults.add({ effect: { kind: 'status', status: 503 }, endpoint: 'memberships' });
  // Older than anything that the kit keeps.
  world.clock.advance(30 * 60_000);
  const failed = await page.request.get(`${shop.origin}/members`);
  expect(failed.status()).toBe(503);
  faults.clear();
  // The kit does not ask again at once.
  world.clock.advance(60_000);
  const opened = await page.request.get(`${shop.origin}/members`);
  expect([opened.status(), await opened.text()]).toEqual([200, expect.stringContaining('The safe')]);
});
