import { afterEach, describe, expect, it, vi } from 'vitest';
import { manualClock } from '../../src/testing/index.js';
import type {
  EventClaim,
  WebhookEventStore,
  WebhookHandler,
  WebhookOptions,
} from '../../src/webhooks/index.js';
import { aDelivery, type Endpoint, startEndpoint } from './endpoint.js';

const open: Endpoint[] = [];
async function start(options: Partial<WebhookOptions>): Promise<Endpoint> {
  const endpoint = await startEndpoint({ options });
  open.push(endpoint);
  return endpoint;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A handler that waits for the test. */
function heldHandler() {
  const { promise: started, resolve: tellStarted } = Promise.withResolvers<void>();
  const { promise: end, resolve: succeed, reject: fail } = Promise.withResolvers<void>();
  const handler = vi.fn<WebhookHandler>(async () => {
    tellStarted();
    await end;
  });
  return { handler, started, succeed, fail };
}

/** An in-memory store whose calls the test can observe and replace. */
function watchedStore(replaced: Partial<WebhookEventStore> = {}) {
  const done = new Set<string>();
  const held = new Map<string, string>();
  const calls: string[] = [];
  const store: WebhookEventStore = {
    async claim(id): Promise<EventClaim> {
      if (done.has(id)) return { kind: 'done' };
      if (held.has(id)) return { kind: 'running' };
      held.set(id, 'token');
      return { kind: 'claimed', token: 'token' };
    },
    async complete(id) {
      done.add(id);
    },
    async release(id) {
      held.delete(id);
    },
    ...replaced,
  };
  const watched = (name: keyof WebhookEventStore) => (id: string, given: never) => {
    calls.push(name);
    return store[name](id, given);
  };
  return {
    calls,
    done,
    held,
    store: {
      claim: watched('claim'),
      complete: watched('complete'),
      release: watched('release'),
    } as WebhookEventStore,
  };
}

const never = () => new Promise<never>(() => {});

describe('an event that is delivered again', () => {
  it('is handled once, and each delivery receives 200', {
    tags: ['webhook.deduplicate', 'webhook.event-id-header'],
  }, async () => {
    const { deliver, events } = await start({});
    const delivery = aDelivery();
    for (let time = 0; time < 3; time += 1) expect((await deliver(delivery)).status).toBe(200);
    expect(events).toHaveLength(1);
  });

  it('is another event if its id differs, whatever its content', async () => {
    const { deliver, events } = await start({});
    await deliver(aDelivery({ id: 'e-1' }));
    await deliver(aDelivery({ id: 'e-2' }));
    expect(events.map(({ id }) => id)).toEqual(['e-1', 'e-2']);
  });

  it('after its handler failed is handled again; the response was 500, and the log has the reason', {
    tags: ['webhook.deduplicate'],
  }, async () => {
    const handler = vi.fn<WebhookHandler>().mockRejectedValueOnce(new Error('the database is full'));
    const { deliver, log } = await start({ other: handler });
    const delivery = aDelivery({ id: 'e-1' });
    const first = await deliver(delivery);
    expect([first.status, await first.text()]).toEqual([500, 'Not received.']);
    expect(log[0]).toMatchObject({
      level: 'error',
      details: { eventId: 'e-1', eventType: 'garden.watered' },
    });
    expect(String(log[0]?.details?.error)).toContain('the database is full');
    expect((await deliver(delivery)).status).toBe(200);
    expect((await deliver(delivery)).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('is also handled again if the handler throws synchronously', async () => {
    const { deliver, log } = await start({
      other: () => {
        throw new Error('at once');
      },
    });
    expect((await deliver(aDelivery())).status).toBe(500);
    expect(String(log[0]?.details?.error)).toContain('at once');
  });

  it('during its handling receives 503 and does not run a second handler', async () => {
    const { handler, started, succeed } = heldHandler();
    const { deliver } = await start({ other: handler });
    const delivery = aDelivery();
    const first = deliver(delivery);
    await started;
    const second = await deliver(delivery);
    expect([second.status, await second.text(), second.headers.get('retry-after')]).toEqual([
      503,
      'Try again later.',
      '5',
    ]);
    succeed();
    expect((await first).status).toBe(200);
    expect((await deliver(delivery)).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('fifty times at once runs one handler', async () => {
    const { handler, succeed } = heldHandler();
    const { deliver } = await start({ other: handler });
    const delivery = aDelivery();
    const statuses = Array.from({ length: 50 }, () => deliver(delivery).then(({ status }) => status));
    await vi.waitFor(() => expect(handler).toHaveBeenCalled(), 20_000);
    // Only the other deliveries receive a response while the handler runs.
    expect(await Promise.race(statuses)).toBe(503);
    succeed();
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200, 503]));
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is handled again after keepSeconds', async () => {
    const clock = manualClock();
    const { deliver, events } = await start({ clock, keepSeconds: 3600 });
    const delivery = aDelivery();
    await deliver(delivery);
    clock.advance(3_599_999);
    await deliver(delivery);
    expect(events).toHaveLength(1);
    clock.advance(1);
    await deliver(delivery);
    expect(events).toHaveLength(2);
  });
});

describe('a slow handler', () => {
  it('receives an abort signal, and its delivery receives 503 in time with a log message', {
    tags: ['webhook.answer-in-time'],
  }, async () => {
    const { handler } = heldHandler();
    const { deliver, log } = await start({ other: handler, timeoutMs: 50 });
    const startedAt = performance.now();
    expect((await deliver(aDelivery({ id: 'e-1' }))).status).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const context = handler.mock.calls[0]?.[1];
    expect(context?.signal.aborted).toBe(true);
    expect(Reflect.get(context?.signal.reason, 'name')).toBe('TimeoutError');
    expect(log).toMatchObject([{ level: 'error', details: { eventId: 'e-1' } }]);
    expect(log[0]?.message).toContain('Move long work to a queue');
  });

  it('that succeeds later has handled its event: the next delivery runs nothing', async () => {
    const { handler, succeed } = heldHandler();
    const { store, done } = watchedStore();
    const { deliver, log } = await start({ other: handler, store, timeoutMs: 50 });
    const delivery = aDelivery({ id: 'e-1' });
    expect((await deliver(delivery)).status).toBe(503);
    expect((await deliver(delivery)).status).toBe(503);
    succeed();
    await vi.waitFor(() => expect(done).toContain('e-1'), 20_000);
    expect((await deliver(delivery)).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(log).toHaveLength(1);
  });

  it('that fails later releases its event: the next delivery runs it', async () => {
    const { handler, fail } = heldHandler();
    const { store, held } = watchedStore();
    const { deliver, log } = await start({ other: handler, store, timeoutMs: 50 });
    const delivery = aDelivery({ id: 'e-1' });
    expect((await deliver(delivery)).status).toBe(503);
    fail(new Error('too late as well'));
    await vi.waitFor(() => expect(held.size).toBe(0), 20_000);
    expect(String(log[1]?.details?.error)).toContain('too late as well');
    handler.mockResolvedValueOnce(undefined);
    expect((await deliver(delivery)).status).toBe(200);
  });

  it('of a dead process is replaced after its lease', async () => {
    const clock = manualClock();
    const handler = vi.fn<WebhookHandler>().mockImplementationOnce(never);
    const { deliver } = await start({ other: handler, clock, timeoutMs: 50, leaseSeconds: 30 });
    const delivery = aDelivery();
    expect((await deliver(delivery)).status).toBe(503);
    clock.advance(29_999);
    expect((await deliver(delivery)).status).toBe(503);
    clock.advance(1);
    expect((await deliver(delivery)).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

describe('a failing event store', () => {
  it('that rejects a claim runs no handler: the response is 503', async () => {
    const { store } = watchedStore({ claim: () => Promise.reject(new Error('ECONNREFUSED')) });
    const { deliver, events, log } = await start({ store });
    expect((await deliver(aDelivery())).status).toBe(503);
    expect(events).toEqual([]);
    expect(log).toMatchObject([
      { level: 'error', message: expect.stringContaining('Check that the store is reachable.') },
    ]);
  });

  it('that hangs does not delay the response; a late claim is released', async () => {
    const { promise, resolve } = Promise.withResolvers<EventClaim>();
    const { store, calls } = watchedStore({ claim: () => promise });
    const { deliver, events, log } = await start({ store, timeoutMs: 50 });
    expect((await deliver(aDelivery())).status).toBe(503);
    expect(log[0]?.details?.error).toBe('It did not respond in time.');
    expect(calls).toEqual(['claim']);
    resolve({ kind: 'claimed', token: 'token' });
    await vi.waitFor(() => expect(calls).toEqual(['claim', 'release']), 20_000);
    expect(events).toEqual([]);
  });

  it.each([
    ['refuses', () => Promise.reject(new Error('gone'))],
    ['hangs', never],
  ])('that %s to complete an event does not make a handled event fail', async (_what, complete) => {
    const { store } = watchedStore({ complete });
    const { deliver, events, log } = await start({ store, timeoutMs: 80 });
    expect((await deliver(aDelivery())).status).toBe(200);
    expect(events).toHaveLength(1);
    expect(log).toMatchObject([
      { level: 'error', message: expect.stringContaining('would be handled again') },
    ]);
  });

  it('that rejects a release logs that the event is handled again after the lease', async () => {
    const { store } = watchedStore({ release: () => Promise.reject(new Error('gone')) });
    const { deliver, log } = await start({ store, other: () => Promise.reject(new Error('no')) });
    expect((await deliver(aDelivery())).status).toBe(500);
    expect(log[1]).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('when the lease expires'),
    });
  });

  it('that throws synchronously is treated the same', async () => {
    const { store } = watchedStore({
      claim: () => {
        throw new Error('not connected');
      },
    });
    const { deliver } = await start({ store });
    expect((await deliver(aDelivery())).status).toBe(503);
  });
});
