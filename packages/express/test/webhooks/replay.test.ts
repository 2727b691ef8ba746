import { afterEach, describe, expect, it } from 'vitest';
import { memoryDirectory } from '../../src/index.js';
import { verifyWebhook, type WebhookEventStore, type WebhookOptions } from '../../src/webhooks/index.js';
import { aDelivery, type Endpoint, OLD_SECRET, SECRET, startEndpoint } from './endpoint.js';

const CLUB = 'c0ffee00-0000-4000-8000-0000000000c1';
const OTHER_CLUB = 'c0ffee00-0000-4000-8000-0000000000c2';
const UUID = 'e0e0e0e0-0000-4000-8000-00000000000e';

const open: Endpoint[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function start(options: Partial<WebhookOptions> = {}): Promise<Endpoint> {
  const endpoint = await startEndpoint({ options });
  open.push(endpoint);
  return endpoint;
}

describe('a captured delivery', () => {
  it('of an event without a handler does not reach the handler of another type', async () => {
    const paid: unknown[] = [];
    const { deliver } = await start({
      on: { 'payment.success': (event) => paid.push(event) },
      other: undefined,
    });
    const failed = aDelivery({ type: 'payment.failed', id: 'evt-1', body: { eventId: 'evt-1', cents: 900 } });
    expect((await deliver(failed)).status).toBe(200);
    expect((await deliver(failed, { 'x-svc-event-type': 'payment.success' })).status).toBe(200);
    expect(paid).toEqual([]);
  });

  it('has the id of its signed body, in whatever letter case the header writes it', () => {
    const { body, headers } = aDelivery({ id: UUID, body: { eventId: UUID } });
    const replayed = { ...headers, 'x-svc-event-id': UUID.toUpperCase() };
    expect(verifyWebhook(body, headers, SECRET).id).toBe(UUID);
    expect(verifyWebhook(body, replayed, SECRET).id).toBe(UUID);
  });
});

describe('an event without a handler', () => {
  it('does not use the store of an app without handlers', async () => {
    const broken: WebhookEventStore = {
      claim: () => Promise.reject(new Error('down')),
      complete: () => Promise.reject(new Error('down')),
      release: () => Promise.reject(new Error('down')),
    };
    const { deliver, log } = await start({ other: undefined, store: broken });
    expect((await deliver(aDelivery())).status).toBe(200);
    expect(log).toEqual([]);
  });
});

describe('an event id', () => {
  it('of one community is not that of another, so no seller suppresses the events of the others', async () => {
    const { deliver, events } = await start({
      communities: { [CLUB]: SECRET, [OTHER_CLUB]: OLD_SECRET },
      directory: memoryDirectory(),
    });
    for (const secret of [OLD_SECRET, SECRET, SECRET]) {
      expect((await deliver(aDelivery({ id: '1001', body: {} }, { secret }))).status).toBe(200);
    }
    expect(events).toHaveLength(2);
  });

  it('is that of the community also after its secret was rotated', async () => {
    const { deliver, events } = await start({
      communities: { [CLUB]: [SECRET, OLD_SECRET] },
      directory: memoryDirectory(),
    });
    for (const secret of [OLD_SECRET, SECRET]) await deliver(aDelivery({ id: '1001', body: {} }, { secret }));
    expect(events).toHaveLength(1);
  });
});
