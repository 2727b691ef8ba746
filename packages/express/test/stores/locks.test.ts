import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  type IoRedisClient,
  type PostgresPool,
  postgresLock,
  redisLock,
  type SessionLock,
} from '../../src/index.js';
import { type OpenStore, openStore } from './store-servers.js';

const opened: OpenStore[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
});

/** Adapts a node-redis connection to the interface of ioredis. */
function asIoRedis(client: RedisClient): IoRedisClient {
  const send = (...parts: (string | number)[]) => client.sendCommand(parts.map(String));
  return {
    call: (command, ...parameters) => send(command, ...parameters),
    set: (...parameters) => send('SET', ...parameters),
    eval: (...parameters) => send('EVAL', ...parameters),
  };
}

const connect = () => createClient({ url: inject('redis') }).connect();
type RedisClient = Awaited<ReturnType<typeof connect>>;
const clients: RedisClient[] = [];
async function redisClient() {
  const client = await connect();
  clients.push(client);
  return client;
}
afterAll(() => {
  for (const client of clients) client.destroy();
});

const KINDS: [string, () => Promise<SessionLock>][] = [
  ['redisLock on node-redis', async () => redisLock(await redisClient())],
  ['redisLock on ioredis', async () => redisLock(asIoRedis(await redisClient()))],
  [
    'postgresLock',
    async () => {
      const store = await openStore('PostgreSQL');
      opened.push(store);
      return store.lock;
    },
  ],
];

describe.each(KINDS)('%s', (_name, make) => {
  let lock: SessionLock;
  beforeAll(async () => {
    lock = await make();
  });
  const newKey = () => randomBytes(8).toString('hex');

  it('is acquired by one of many concurrent callers', async () => {
    const key = newKey();
    const holds = await Promise.all(Array.from({ length: 30 }, () => lock.acquire(key, 10_000)));
    expect(holds.filter((release) => release !== undefined)).toHaveLength(1);
  });

  it('can be acquired again after release, and other keys are independent', async () => {
    const key = newKey();
    const release = await lock.acquire(key, 10_000);
    expect(await lock.acquire(newKey(), 10_000)).toBeDefined();
    expect(await lock.acquire(key, 10_000)).toBeUndefined();
    await release?.();
    expect(await lock.acquire(key, 10_000)).toBeDefined();
  });

  it("expires, and its former holder cannot release the next one's lock", async () => {
    const key = newKey();
    const release = await lock.acquire(key, 1);
    await pause(20);
    expect(await lock.acquire(key, 10_000)).toBeDefined();
    await release?.();
    expect(await lock.acquire(key, 10_000)).toBeUndefined();
  });
});

describe('postgresLock', () => {
  it('creates its table once if several processes start at the same moment, and holds no connection', async () => {
    const store = await openStore('PostgreSQL');
    opened.push(store);
    const pools = Array.from(
      { length: 6 },
      () => new pg.Pool({ connectionString: store.address.url, max: 1, idleTimeoutMillis: 1 }),
    );
    const holds = await Promise.all(
      pools.map((pool) => postgresLock(pool, { table: 'my_locks' }).acquire('same', 10_000)),
    );
    expect(holds.filter((release) => release !== undefined)).toHaveLength(1);
    expect(pools.map((pool) => pool.totalCount - pool.idleCount)).toEqual(Array(6).fill(0));
    for (const pool of pools) await pool.end();
  });

  it('accepts only a plain table name, and does not create the table with createTable: false', async () => {
    const statements: string[] = [];
    const pool: PostgresPool = {
      async query(statement) {
        statements.push(statement);
        return { rows: [] };
      },
    };
    expect(() => postgresLock(pool, { table: 'locks; drop table users' })).toThrow(/plain lower-case name/);
    await postgresLock(pool, { createTable: false }).acquire('key', 1000);
    expect(statements).toHaveLength(1);
  });

  it('rejects while the database is unreachable, and recovers', async () => {
    let isDown = true;
    const store = await openStore('PostgreSQL');
    opened.push(store);
    const real = new pg.Pool({ connectionString: store.address.url });
    const lock = postgresLock({
      query: (statement, values) =>
        isDown ? Promise.reject(new Error('connection refused')) : real.query(statement, values),
    });
    await expect(lock.acquire('key', 1000)).rejects.toThrow('connection refused');
    isDown = false;
    expect(await lock.acquire('key', 1000)).toBeDefined();
    await real.end();
  });
});
