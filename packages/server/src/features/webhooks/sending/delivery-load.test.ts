import { describe, expect, it } from 'vitest';
import { DeliveryLoad } from './delivery-load.js';

const LIMITS = { prompt: 16, late: 20, perEndpoint: 4 };

function endpoints(count: number, { failing }: { failing: boolean }) {
  return Array.from({ length: count }, (_, index) => ({
    webhookId: `${failing ? 'failing' : 'healthy'}-${index}`,
    failing,
  }));
}

/** Starts everything that the load allows, and returns the number of deliveries by kind of endpoint. */
function startAll(load: DeliveryLoad, due: ReturnType<typeof endpoints>) {
  const started = { healthy: 0, failing: 0 };
  for (const { limit, ...endpoint } of load.share(due, load.free)) {
    started[endpoint.failing ? 'failing' : 'healthy'] += limit;
    for (let n = 0; n < limit; n += 1) load.start(`${endpoint.webhookId}/${n}`, endpoint);
  }
  return started;
}

describe('deliveries under way', () => {
  it('are four for an endpoint, and one for a failing endpoint', () => {
    const load = new DeliveryLoad(LIMITS);
    const due = [...endpoints(1, { failing: true }), ...endpoints(2, { failing: false })];
    expect(load.share(due, load.free)).toEqual([
      { webhookId: 'healthy-0', failing: false, limit: 4 },
      { webhookId: 'healthy-1', failing: false, limit: 4 },
      { webhookId: 'failing-0', failing: true, limit: 1 },
    ]);
  });

  it('leave an endpoint to its earlier deliveries until they are over', () => {
    const load = new DeliveryLoad(LIMITS);
    const due = endpoints(1, { failing: false });
    startAll(load, due);
    for (let n = 0; n < 4; n += 1) {
      expect(load.share(due, load.free)).toEqual([]);
      load.end(`healthy-0/${n}`);
    }
    expect(load.share(due, load.free)).toHaveLength(1);
  });

  it('go to failing endpoints last, and to some of them always', () => {
    const load = new DeliveryLoad(LIMITS);
    const due = [...endpoints(20, { failing: true }), ...endpoints(20, { failing: false })];
    expect(startAll(load, due)).toEqual({ healthy: 14, failing: 2 });
    expect(load.free).toBe(0);
  });

  it('are at most half of the limit to failing endpoints, however late they are', () => {
    let now = 0;
    const load = new DeliveryLoad(LIMITS, () => now);
    const due = endpoints(20, { failing: true });
    expect(startAll(load, due)).toEqual({ healthy: 0, failing: 8 });
    now += 5_000;
    expect(startAll(load, due)).toEqual({ healthy: 0, failing: 0 });
    expect(startAll(load, endpoints(4, { failing: false }))).toEqual({ healthy: 16, failing: 0 });
  });

  it('make room for others after a second, until too many are late', () => {
    let now = 0;
    const load = new DeliveryLoad(LIMITS, () => now);
    const [one, two, three] = [0, 1, 2].map((group) =>
      endpoints(4, { failing: false }).map((due) => ({ ...due, webhookId: `${group}-${due.webhookId}` })),
    ) as [ReturnType<typeof endpoints>, ReturnType<typeof endpoints>, ReturnType<typeof endpoints>];
    expect(startAll(load, one).healthy).toBe(16);
    expect(load.free).toBe(0);
    now += 1_001;
    expect(startAll(load, two).healthy).toBe(16);
    now += 1_001;
    expect(startAll(load, three).healthy).toBe(0);
  });
});
