import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, inject, it } from 'vitest';
import { postgresEventStore, redisEventStore, type WebhookEventStore } from '../../src/webhooks/index.js';
import { aDelivery, SECRET, startEndpoint } from '../webhooks/endpoint.js';
import { createDatabase } from './store-servers.js';

interface SharedStore {
  address: { kind: string; url: string; prefix: string };
  store: WebhookEventStore;
  /** Ends the lease of the only event, as a minute would do. */
  endLease(): Promise<void>;
  close(): Promise<void>;
}

async function onRedis(): Promise<SharedStore> {
  const [url, prefix] = [inject('redis'), `t${randomUUID()}:`];
  const client = createClient({ url });
  await client.connect();
  return {
    address: { kind: 'Redis', url, prefix },
    store: redisEventStore(client, { prefix }),
    async endLease() {
      for (const key of await client.keys(`${prefix}*`)) await client.pExpire(key, 0);
    },
    close: async () => client.destroy(),
  };
}

async function onPostgres(): Promise<SharedStore> {
  const { url, drop } = await createDatabase();
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => {});
  return {
    address: { kind: 'PostgreSQL', url, prefix: '' },
    store: postgresEventStore(pool),
    async endLease() {
      await pool.query('update latchkey_webhook_events set expires_at = clock_timestamp()');
    },
    close: () => pool.end().then(drop),
  };
}

describe.each([
  ['Redis', onRedis],
  ['PostgreSQL', onPostgres],
] as const)('a process that is killed while it handles an event, with %s', (_name, open) => {
  it('loses no event: after its lease, another process handles the next delivery', async () => {
    const { address, store, endLease, close } = await open();
    const child = fork(new URL('./webhook-process.mjs', import.meta.url), [
      JSON.stringify({ ...address, secret: SECRET }),
    ]);
    const [port] = await once(child, 'message');
    const handling = once(child, 'message');
    const delivery = aDelivery();
    const lost = fetch(`http://127.0.0.1:${port}/webhooks`, delivery).then(
      ({ status }) => status,
      () => 'connection lost',
    );
    expect(await handling).toEqual(['handling', undefined]);
    const dead = once(child, 'exit');
    child.kill('SIGKILL');
    await dead;
    expect(await lost).toBe('connection lost');

    const endpoint = await startEndpoint({ options: { store } });
    expect((await endpoint.deliver(delivery)).status).toBe(503);
    expect(endpoint.events).toEqual([]);
    await endLease();
    expect((await endpoint.deliver(delivery)).status).toBe(200);
    expect(endpoint.events).toHaveLength(1);
    await endpoint.close();
    await close();
  });
});
