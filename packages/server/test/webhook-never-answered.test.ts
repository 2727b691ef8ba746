import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { UNANSWERED_ATTEMPTS_MAX } from '../src/features/webhooks/attempt/attempt-decision.js';
import { signedIn } from './authorization-flow.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it } from './webhook-world.js';

const { users } = sandboxScenario;
const ownerId = users.dana.id;
const HOUR_MS = 3600_000;

describe('endpoint that has never answered with 2xx', () => {
  it('is paused after a few attempts, however many events there are', async ({ world }) => {
    const { id } = await world.register();
    world.receiver.answer((response) => response.writeHead(404).end());
    for (let event = 0; event < 10; event += 1) {
      await world.emit();
      await world.deliver();
      world.service.clock.advance(HOUR_MS);
    }
    // Attempts that run at the same time can exceed the limit by three.
    const received = world.receiver.received.length;
    expect(received).toBeGreaterThanOrEqual(UNANSWERED_ATTEMPTS_MAX);
    expect(received).toBeLessThan(UNANSWERED_ATTEMPTS_MAX + 4);
    expect((await world.webhook(id))?.pausedAt).not.toBeNull();

    const browser = await signedIn(world.service, users.dana.email);
    const page = parsePage(await (await browser.get(`/developer/webhooks/${id}`)).text());
    expect(textOf(page, '.warning')).toContain('has never answered with a 2xx status');
    await browser.post(`/developer/webhooks/${id}/resume`, { account: ownerId });
    await world.deliver();
    expect(world.receiver.received.length).toBeGreaterThan(received);
  });

  it('is not paused if it answers before that, and is then trusted for five days', async ({ world }) => {
    const { id } = await world.register();
    await world.emit();
    await world.deliver();
    world.receiver.answer((response) => response.writeHead(500).end());
    for (let event = 0; event < 10; event += 1) {
      await world.emit();
      await world.deliver();
      world.service.clock.advance(HOUR_MS);
    }
    expect((await world.webhook(id))?.pausedAt).toBeNull();
  });

  it('starts again with another URL, so that one answer does not open the way to a stranger', async ({
    world,
  }) => {
    const { id } = await world.register();
    await world.emit();
    await world.deliver();
    expect(await world.webhook(id)).toMatchObject({ hasAnswered: true });
    const { operator } = world.service.server;
    await operator.change('webhooks', id, { url: world.receiver.url });
    expect(await world.webhook(id)).toMatchObject({ hasAnswered: true });
    await operator.change('webhooks', id, { url: `${world.receiver.url}/strangers` });
    expect(await world.webhook(id)).toMatchObject({ hasAnswered: false });
  });

  it('starts again with another URL that is entered while the answer is on its way', async ({ world }) => {
    const { id } = await world.register();
    const { operator } = world.service.server;
    world.receiver.answer(async (response) => {
      await operator.change('webhooks', id, { url: `${world.receiver.url}/strangers` });
      response.writeHead(204).end();
    });
    await world.emit();
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
    expect(await world.webhook(id)).toMatchObject({ hasAnswered: false });
  });
});
