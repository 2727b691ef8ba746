import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import {
  postgresEventStore,
  redisEventStore,
  type WebhookEventStore,
  type WebhookHandler,
} from '../../src/webhooks/index.js';
import { aDelivery, startEndpoint } from '../webhooks/endpoint.js';
import { createDatabase } from './store-servers.js';

const MINUTE = 60_000;

/** Storage that several processes share, each with its own connections. */
interface SharedEvents {
  /** Opens the store of another process. */
  join(): Promise<WebhookEventStore>;
  /** Expires all records of an event. */
  expire(eventId: string): Promise<void>;
  /** Remaining lifetime of an event, in milliseconds. */
  lifeOf(eventId: string): Promise<number>;
  close(): Promise<void>;
}

async function onRedis(): Promise<SharedEvents> {
  const prefix = `t${randomBytes(6).toString('hex')}:`;
  const connect = async () => {
    const client = createClient({ url: inject('redis') });
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  const clients: { destroy(): void }[] = [];
  const own = await connect();
  return {
    join: async () => redisEventStore(await connect(), { prefix }),
    expire: async (id) => void (await own.pExpire(prefix + id, 0)),
    lifeOf: (id) => own.pTTL(prefix + id),
    close: async () => {
      for (const client of clients) client.destroy();
    },
  };
}

async function onPostgres(): Promise<SharedEvents> {
  const { url, drop } = await createDatabase();
  const table = 'latchkey_webhook_events';
  const pools: pg.Pool[] = [];
  const connect = () => {
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    pools.push(pool);
    return pool;
  };
  const own = connect();
  return {
    join: async () => postgresEventStore(connect()),
    async expire(id) {
      await own.query(`update ${table} set expires_at = clock_timestamp() where event_id = $1`, [id]);
    },
    async lifeOf(id) {
      const { rows } = await own.query(
        `select extract(epoch from expires_at - clock_timestamp()) * 1000 as life from ${table} where event_id = $1`,
        [id],
      );
      return Number(rows[0]?.life);
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
      await drop();
    },
  };
}

describe.each([
  ['Redis', onRedis],
  ['PostgreSQL', onPostgres],
] as const)('events stored in %s', (_name, open) => {
  let events: SharedEvents;
  beforeEach(async () => {
    events = await open();
  });
  afterEach(() => events.close());

  const claimed = { kind: 'claimed', token: expect.any(String) };

  it('are claimed by one of many concurrent callers, from the first event on', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => events.join()));
    for (let round = 0; round < 10; round += 1) {
      const id = randomUUID();
      const claims = await Promise.all(
        Array.from({ length: 30 }, (_, index) => stores[index % 3]?.claim(id, MINUTE)),
      );
      expect(claims.filter((claim) => claim?.kind === 'claimed')).toHaveLength(1);
      expect(claims.filter((claim) => claim?.kind === 'running')).toHaveLength(29);
    }
  });

  it('are done for all callers once completed, for the given time', async () => {
    const [a, b] = [await events.join(), await events.join()];
    expect(await a.claim('e-1', MINUTE)).toEqual(claimed);
    await a.complete('e-1', 60 * MINUTE);
    expect(await b.claim('e-1', MINUTE)).toEqual({ kind: 'done' });
    expect(await events.lifeOf('e-1')).toBeGreaterThan(59 * MINUTE);
    expect(await events.lifeOf('e-1')).toBeLessThanOrEqual(60 * MINUTE);
    await events.expire('e-1');
    expect(await b.claim('e-1', MINUTE)).toEqual(claimed);
  });

  it('can be claimed again after release', async () => {
    const [a, b] = [await events.join(), await events.join()];
    const claim = await a.claim('e-1', MINUTE);
    if (claim.kind === 'claimed') await a.release('e-1', claim.token);
    expect(await b.claim('e-1', MINUTE)).toEqual(claimed);
  });

  it('can be claimed after the lease of a dead process, whose late success still counts', async () => {
    const [dead, heir] = [await events.join(), await events.join()];
    const lost = await dead.claim('e-1', MINUTE);
    expect(await events.lifeOf('e-1')).toBeLessThanOrEqual(MINUTE);
    await events.expire('e-1');
    expect(await heir.claim('e-1', MINUTE)).toEqual(claimed);
    if (lost.kind === 'claimed') await dead.release('e-1', lost.token);
    expect(await dead.claim('e-1', MINUTE)).toEqual({ kind: 'running' });
    await dead.complete('e-1', MINUTE);
    expect(await heir.claim('e-1', MINUTE)).toEqual({ kind: 'done' });
  });

  it('are not affected by the release of a completed event', async () => {
    const store = await events.join();
    const claim = await store.claim('e-1', MINUTE);
    await store.complete('e-1', MINUTE);
    if (claim.kind === 'claimed') await store.release('e-1', claim.token);
    expect(await store.claim('e-1', MINUTE)).toEqual({ kind: 'done' });
  });

  it('can have any id', async () => {
    const store = await events.join();
    for (const id of ["'; drop table x; --", 'a b\n*', 'ü😀', 'x'.repeat(2000)]) {
      expect(await store.claim(id, MINUTE)).toEqual(claimed);
      await store.complete(id, MINUTE);
      expect(await store.claim(id, MINUTE)).toEqual({ kind: 'done' });
    }
  });

  it('are handled once, however many deliveries reach however many processes at once', {
    tags: ['webhook.deduplicate'],
  }, async () => {
    const handler = vi.fn<WebhookHandler>(() => new Promise((resolve) => setImmediate(resolve)));
    const endpoints = await Promise.all(
      Array.from({ length: 3 }, async () =>
        startEndpoint({ options: { other: handler, store: await events.join() } }),
      ),
    );
    try {
      for (let round = 1; round <= 10; round += 1) {
        const delivery = aDelivery();
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_, index) => endpoints[index % 3]?.deliver(delivery)),
        );
        expect(handler).toHaveBeenCalledTimes(round);
        const statuses = answers.map((answer) => answer?.status);
        expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
        expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
        // Rejected deliveries are sent again.
        expect((await endpoints[round % 3]?.deliver(delivery))?.status).toBe(200);
        expect(handler).toHaveBeenCalledTimes(round);
      }
    } finally {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    }
  });

  it('that fail in one process are handled by the next delivery in another', async () => {
    const handler = vi.fn<WebhookHandler>().mockRejectedValueOnce(new Error('no'));
    const [a, b] = await Promise.all(
      Array.from({ length: 2 }, async () =>
        startEndpoint({ options: { other: handler, store: await events.join() } }),
      ),
    );
    const delivery = aDelivery();
    expect((await a?.deliver(delivery))?.status).toBe(500);
    expect((await b?.deliver(delivery))?.status).toBe(200);
    expect((await a?.deliver(delivery))?.status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(2);
    await Promise.all([a?.close(), b?.close()]);
  });
});

describe('redisEventStore', () => {
  it('works with ioredis as with redis', async () => {
    const client = createClient({ url: inject('redis') });
    await client.connect();
    // ioredis receives the keys and arguments as a list, and has `call`.
    const ioredis = {
      call: (command: string, ...parameters: string[]) => client.sendCommand([command, ...parameters]),
      eval: (script: string, keyCount: number, ...rest: string[]) =>
        client.sendCommand(['EVAL', script, `${keyCount}`, ...rest]),
    };
    const store = redisEventStore(ioredis, { prefix: `t${randomUUID()}:` });
    const claim = await store.claim('e-1', MINUTE);
    expect(claim.kind).toBe('claimed');
    expect(await store.claim('e-1', MINUTE)).toEqual({ kind: 'running' });
    if (claim.kind === 'claimed') await store.release('e-1', claim.token);
    await store.complete('e-1', MINUTE);
    expect(await store.claim('e-1', MINUTE)).toEqual({ kind: 'done' });
    client.destroy();
  });

  it('handles no event while Redis is gone, and responds with 503 in time', async () => {
    const client = createClient({ url: inject('redis'), disableOfflineQueue: true });
    client.on('error', () => {});
    await client.connect();
    client.destroy();
    const endpoint = await startEndpoint({ options: { store: redisEventStore(client) } });
    expect((await endpoint.deliver(aDelivery())).status).toBe(503);
    expect(endpoint.events).toEqual([]);
    await endpoint.close();
  });
});

describe('postgresEventStore', () => {
  it('does not create the table with createTable: false, and reports that it is missing', async () => {
    const { url, drop } = await createDatabase();
    const pool = new pg.Pool({ connectionString: url });
    const store = postgresEventStore(pool, { createTable: false });
    await expect(store.claim('e-1', MINUTE)).rejects.toMatchObject({ code: '42P01' });
    await pool.end();
    await drop();
  });

  it('deletes expired rows, also in another schema', async () => {
    const { url, drop } = await createDatabase();
    const pool = new pg.Pool({ connectionString: url });
    await pool.query('create schema app');
    const table = 'app.webhook_events';
    const store = postgresEventStore(pool, { table });
    await store.claim('e-old', MINUTE);
    await pool.query(`update ${table} set expires_at = clock_timestamp() - interval '1 second'`);
    await store.claim('e-new', MINUTE);
    await store.complete('e-new', MINUTE);
    const { rows } = await pool.query(`select event_id from ${table}`);
    expect(rows).toEqual([{ event_id: 'e-new' }]);
    await pool.end();
    await drop();
  });

  it('rejects a table name that would need quoting', () => {
    const pool = { query: async () => ({ rows: [] }) };
    for (const table of ['Events', 'a b', 'a.b.c', 'x; drop table y', '']) {
      expect(() => postgresEventStore(pool, { table })).toThrow('table: must consist of lower-case letters');
    }
    expect(postgresEventStore(pool, { table: 'app.webhook_events' })).toBeDefined();
  });
});
