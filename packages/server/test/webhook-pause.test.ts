import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { startServer } from '../src/index.js';
import { START } from './service-under-test.js';
import { removeSandboxMark } from './service-with-database.js';
import { it } from './webhook-world.js';

const { users } = sandboxScenario;
const ownerId = users.dana.id;
const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

describe('endpoint that fails for five days', () => {
  it('is paused with its pending deliveries, receives nothing, and receives them all when resumed', async ({
    world,
  }) => {
    const { id } = await world.register();
    await world.markAnswered(id);
    world.receiver.answer((response) => response.writeHead(500).end());
    const deadline = START + 8 * DAY_MS;
    let emitted = 0;
    while ((await world.webhook(id))?.pausedAt === null && world.service.clock.now() < deadline) {
      await world.emit();
      emitted += 1;
      await world.deliver();
      world.service.clock.advance(12 * HOUR_MS);
    }
    const paused = await world.webhook(id);
    expect((paused?.pausedAt ?? 0) - START).toBeGreaterThanOrEqual(5 * DAY_MS);
    expect((paused?.pausedAt ?? 0) - START).toBeLessThan(7 * DAY_MS);
    expect(paused).toMatchObject({ isActive: true, failingSince: START });
    expect(world.service.log.some((line) => line.includes('Webhook paused'))).toBe(true);
    const waiting = (await world.deliveries(id)).filter(({ status }) => status === 'pending');
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.every(({ nextAttemptAt }) => nextAttemptAt === null)).toBe(true);

    const before = world.receiver.received.length;
    await world.emit();
    world.service.clock.advance(30 * DAY_MS);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(before);

    world.receiver.answer((response) => response.writeHead(204).end());
    await world.service.server.operator.change('webhooks', id, {});
    expect(await world.webhook(id)).toMatchObject({ failingSince: null, pausedAt: null });
    await world.deliver();
    expect(world.receiver.received).toHaveLength(before + waiting.length + 1);
    expect(await world.webhook(id)).toMatchObject({ pending: 0 });
    expect((await world.deliveries(id)).length).toBe(emitted + 1);
  });
});

describe('service outside of the sandbox', () => {
  it('registers no webhook on its own machine or network, and never sends there, whatever is stored', async ({
    world,
  }) => {
    const { id } = await world.register();
    await world.emit();
    await removeSandboxMark(world.db);
    const server = await startServer({
      port: 0,
      database: world.databaseUrl,
      clock: world.service.clock,
      mailer: { send: async () => undefined },
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      backgroundWork: false,
    });
    const webhook = { ownerId, communityId: sandboxScenario.community.id };
    for (const url of [world.receiver.url, 'https://10.0.0.1/', 'http://shop.example/']) {
      await expect(server.operator.createWebhook({ ...webhook, url })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await expect(server.operator.change('webhooks', id, { url })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    await server.runBackgroundWork();
    await server.close();
    expect(world.receiver.received).toEqual([]);
    expect((await world.delivery(id)).attempts).toMatchObject([
      { statusCode: null, failure: 'The host does not lead to a public address.' },
    ]);
  });
});
