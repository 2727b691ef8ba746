import { LatchkeyClient } from '@latchkey/client';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { LONG } from './levels.js';
import { expect, test, type World } from './world.js';

const { apiKey, community, users } = sandboxScenario;
const HOUR = 3600_000;

// Reduced motion keeps colors from fading while axe reads them.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the countdown follows the service’s clock, and the list closes when it is full', { tag: LONG }, async ({
  page,
  context,
  world,
}) => {
  const base = world.backendShop.url;
  const { operator, control } = world.service;
  const startsAt = world.clock.now() + 2 * HOUR;
  await operator.createDropSlot({
    ...{ communityId: community.id, name: 'First pick', slots: 2, startsAt, endsAt: startsAt + HOUR },
  });
  const staticShop = await context.newPage();
  await staticShop.goto(world.scriptTagShop.url);
  await expect(staticShop.locator('#drop-countdown')).toContainText(/^1 h 59 min|^2 h 0 min/);

  await page.goto(`${base}/drop`);
  const phase = page.locator('#drop');
  await expect(page.getByRole('timer')).toContainText(/^1 h 59 min|^2 h 0 min/);
  await control.clock.advance(HOUR);
  await expect(page.getByRole('timer')).toContainText(/^59 min|^0 h 59 min|^1 h 0 min/);
  await expect(staticShop.locator('#drop-countdown')).toContainText(/^0 h 59 min|^1 h 0 min/);

  // A new address, the same one again, and one with an account get the same answer.
  for (const email of ['new@example.net', 'new@example.net', users.ada.email]) {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Put me on the list' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Thank you.' })).toBeVisible();
  }
  await expect(phase).toContainText('1 of 2 slots are left.');
  await expectNoViolations(page);

  await control.clock.advance(HOUR);
  await expect(phase).toHaveAttribute('data-drop-phase', 'running');
  await expect(staticShop.locator('#drop-countdown')).toHaveText('It has started');
  await page.getByLabel('E-mail address').fill('last@example.net');
  await page.getByRole('button', { name: 'Put me on the list' }).click();
  await expect(phase).toHaveAttribute('data-drop-phase', 'full');
  await expect(page.getByLabel('E-mail address')).toHaveCount(0);
  await expectNoViolations(page);
  await control.clock.advance(HOUR);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spring harvest');
});

/** Opens the page of a drop with two slots. */
async function openDrop(page: Page, world: World) {
  const { operator, baseUrl } = world.service;
  const startsAt = world.clock.now() + 2 * HOUR;
  await operator.createDropSlot({
    ...{ communityId: community.id, name: 'First pick', slots: 2, startsAt, endsAt: startsAt + HOUR },
  });
  const address = `${world.backendShop.url}/drop`;
  await page.goto(address);
  await expect(page.locator('#drop')).toContainText('2 of 2 slots are left.');
  const client = new LatchkeyClient({ serviceUrl: baseUrl, apiKey });
  const signUp = (email: string) => client.dropSignup({ communityId: community.id, email });
  return { address, signUp };
}

test('a change of the drop during the renewal of its page is shown too', async ({ page, world }) => {
  const { address, signUp } = await openDrop(page, world);
  const release = Promise.withResolvers<void>();
  const rendered = Promise.withResolvers<void>();
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch();
      rendered.resolve();
      await release.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await signUp('one@example.net');
  await rendered.promise;
  const isKnown = page.evaluate(
    () =>
      new Promise<void>((known) => {
        const stream = new EventSource('/how/live');
        stream.addEventListener('time', ({ data }) => {
          if (JSON.parse(data).drop.available > 0) return;
          stream.close();
          known();
        });
      }),
  );
  await signUp('two@example.net');
  await isKnown;
  release.resolve();
  await expect(page.locator('#drop')).toHaveAttribute('data-drop-phase', 'full');
  await expect(page.getByLabel('E-mail address')).toHaveCount(0);
});

test('the page of the drop renews itself once for a change, and again only if that fails', async ({
  page,
  world,
}) => {
  await page.clock.install({ time: world.clock.now() });
  const { address, signUp } = await openDrop(page, world);
  const answers: string[] = [];
  await page.route(address, async (route) => {
    if (answers.length === 0) {
      answers.push('failed');
      return await route.abort('connectionrefused');
    }
    answers.push('renewed');
    // A page that is newer than the message of the stream.
    const response = await route.fetch();
    const body = (await response.text()).replace('First pick', 'Second pick');
    await route.fulfill({ response, body: body.replace(/data-drop="[^"]*"/, 'data-drop="{}"') });
  });
  await signUp('one@example.net');
  await expect.poll(() => answers).toEqual(['failed']);
  await page.clock.runFor(1000);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Second pick');
  await page.clock.runFor(5000);
  await page.evaluate(() => fetch('/drop?marker'));
  expect(answers).toEqual(['failed', 'renewed']);
});
