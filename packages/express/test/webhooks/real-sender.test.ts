import { sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { createManualClock, type RunningServer } from '@latchkey/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type PayloadSchemas,
  referencePayload,
  type WebhookHandler,
  type WebhookOptions,
} from '../../src/webhooks/index.js';
import { type Endpoint, startEndpoint } from './endpoint.js';

const { community, webhooks, apiKey } = sandboxScenario;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The reference server as the sender, and an endpoint that its community's webhook is sent to. */
interface World {
  server: RunningServer;
  clock: ReturnType<typeof createManualClock>;
  endpoint: Endpoint;
  /** Grants a membership by the API and sends the deliveries that are due. */
  provision(order: string): Promise<void>;
  /** Waits until failed deliveries are due and sends them. */
  retry(): Promise<void>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startWorld<Payload extends PayloadSchemas>(
  options: Partial<WebhookOptions<Payload>> = {},
): Promise<World> {
  const clock = createManualClock(Date.now());
  const server = await startSandbox({ port: 0, clock, logger: silent, backgroundWork: false });
  closing.push(() => server.close());
  await seedSandbox(server, { scriptTagShop: 'http://localhost:4401', backendShop: 'http://localhost:4402' });
  // Delivers the events of the seed data to the sandbox's receiver.
  await server.runBackgroundWork();
  const endpoint = await startEndpoint({ options: { secrets: [webhooks.community.secret], ...options } });
  closing.push(endpoint.close);
  await server.operator.change('webhooks', webhooks.community.id, { url: endpoint.url });
  return {
    server,
    clock,
    endpoint,
    async provision(order) {
      const answer = await fetch(`${server.baseUrl}/membership/provision-external`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          communityId: community.id,
          externalOrderId: order,
          email: 'grace@example.com',
        }),
      });
      expect(answer.status).toBe(200);
      await server.runBackgroundWork();
    },
    async retry() {
      clock.advance(60_000);
      await server.runBackgroundWork();
    },
  };
}

describe('webhooks of the reference server', { timeout: 30_000 }, () => {
  it('arrive as typed events, with the order that caused them', {
    tags: ['webhook.signature-header', 'webhook.signature-raw-body', 'webhook.secret-literal'],
  }, async () => {
    const orders: unknown[] = [];
    const { provision, endpoint } = await startWorld({
      payload: referencePayload,
      on: {
        'membership.created': ({ body }) => orders.push([body.data.communityId, body.data.externalOrderId]),
      },
    });
    await provision('order-1');
    expect(orders).toEqual([[community.id, 'order-1']]);
    expect(endpoint.log).toEqual([]);
  });

  it('are delivered again with the same id after a handler failed, and handled once', {
    tags: ['webhook.deduplicate', 'webhook.event-id-header'],
  }, async () => {
    const handler = vi.fn<WebhookHandler>().mockRejectedValueOnce(new Error('no'));
    const { provision, retry } = await startWorld({ other: handler });
    await provision('order-1');
    expect(handler).toHaveBeenCalledTimes(1);
    await retry();
    expect(handler).toHaveBeenCalledTimes(2);
    expect(handler.mock.calls[0]?.[0].id).toBe(handler.mock.calls[1]?.[0].id);
    await retry();
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('with a slow handler receive a response in time, and are done when it ends', {
    tags: ['webhook.answer-in-time'],
  }, async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const handler = vi.fn<WebhookHandler>(() => end);
    const { provision, retry, endpoint } = await startWorld({ other: handler, timeoutMs: 100 });
    await provision('order-1');
    resolve();
    await end;
    await retry();
    await retry();
    expect(handler).toHaveBeenCalledTimes(1);
    expect(endpoint.log.map(({ message }) => message)).toEqual([expect.stringContaining('too slow')]);
  });

  it('are not lost during a rotation of the secret: both verify until the old one is removed', async () => {
    const first = await startWorld();
    const { secret } = await first.server.operator.change('webhooks', webhooks.community.id, {
      rotateSecret: true,
    });
    // The app does not have the new secret yet.
    await first.provision('order-1');
    expect(first.endpoint.events).toEqual([]);
    expect(first.endpoint.log[0]?.message).toContain('If the secret was rotated');
    // It is deployed again with both secrets.
    const both = await startEndpoint({ options: { secrets: [String(secret), webhooks.community.secret] } });
    closing.push(both.close);
    await first.server.operator.change('webhooks', webhooks.community.id, { url: both.url });
    await first.retry();
    expect(both.events.map(({ type }) => type)).toEqual(['membership.created']);
  });

  it('that the app rejected by mistake are delivered again and handled once it is fixed', async () => {
    const world = await startWorld({ maxBodyBytes: 10 });
    await world.provision('order-1');
    expect(world.endpoint.log[0]?.message).toContain('maxBodyBytes (10)');
    const repaired = await startEndpoint({ options: { secrets: [webhooks.community.secret] } });
    closing.push(repaired.close);
    await world.server.operator.change('webhooks', webhooks.community.id, { url: repaired.url });
    await world.retry();
    expect(repaired.events).toHaveLength(1);
  });
});
