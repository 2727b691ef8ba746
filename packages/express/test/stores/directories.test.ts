import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, inject, it } from 'vitest';
import {
  type IoRedisScripts,
  type MembershipDirectory,
  type NodeRedisScripts,
  postgresDirectory,
  redisDirectory,
} from '../../src/index.js';
import { describeDirectory, type SharedDirectory } from '../directory/directory-conformance.js';
import { createDatabase } from './store-servers.js';

describeDirectory('PostgreSQL', async () => {
  const { url, drop } = await createDatabase();
  const pools: pg.Pool[] = [];
  return {
    async join() {
      const pool = new pg.Pool({ connectionString: url, max: 4 });
      pools.push(pool);
      return postgresDirectory(pool);
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
      await drop();
    },
  };
});

describeDirectory('Redis', () => onRedis(redisDirectory));

describeDirectory('Redis by ioredis', () =>
  onRedis((client, options) => redisDirectory(asIoRedis(client), options)),
);

/** Adapts node-redis to ioredis, which has `call`, and receives keys and arguments as a list. */
function asIoRedis(client: NodeRedisScripts): IoRedisScripts {
  return {
    call: async () => undefined,
    eval: (script, count, ...rest) =>
      client.eval(script, { keys: rest.slice(0, count), arguments: rest.slice(count) }),
  };
}

async function onRedis(
  create: (client: NodeRedisScripts, options: { key: string }) => MembershipDirectory,
): Promise<SharedDirectory> {
  const key = `t${randomBytes(6).toString('hex')}`;
  const clients: { destroy(): void }[] = [];
  return {
    async join() {
      const client = createClient({ url: inject('redis') });
      client.on('error', () => {});
      await client.connect();
      clients.push(client);
      return create(client, { key });
    },
    async close() {
      for (const client of clients) client.destroy();
    },
  };
}

describe('postgresDirectory', () => {
  it('creates no table with createTable: false, and works with the table of README.md', async () => {
    const { url, drop } = await createDatabase();
    const pool = new pg.Pool({ connectionString: url });
    const directory = postgresDirectory(pool, { createTable: false });
    await expect(directory.find(['m-1'])).rejects.toMatchObject({ code: '42P01' });
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [statement = ''] = /create table latchkey_memberships [^;]*;/.exec(readme) ?? [];
    await pool.query(statement);
    await directory.record({ membershipId: 'm-1', communityId: 'c', pricingPlanId: 'p' });
    await expect(directory.record({ membershipId: 'm-1', productId: 'c' })).rejects.toThrow('community c');
    expect((await directory.find(['m-1'])).get('m-1')?.communityId).toBe('c');
    await pool.query('create schema shop');
    await postgresDirectory(pool, { table: 'shop.members' }).record({
      membershipId: 'm-2',
      communityId: 'c',
    });
    expect(() => postgresDirectory(pool, { table: 'a"b' })).toThrow('table: must consist of');
    await pool.end();
    await drop();
  });

  it('writes no new row version for a repeated record', async () => {
    const { url, drop } = await createDatabase();
    const pool = new pg.Pool({ connectionString: url });
    const directory = postgresDirectory(pool);
    const versionOf = async () => (await pool.query('select xmin::text from latchkey_memberships')).rows[0];
    await directory.record({ membershipId: 'm-1', communityId: 'c', pricingPlanId: 'p', observedAt: 1e12 });
    const version = await versionOf();
    await directory.record({ membershipId: 'm-1', communityId: 'c', pricingPlanId: 'p', observedAt: 1e12 });
    await directory.record({ membershipId: 'm-1', communityId: 'c' });
    expect(await versionOf()).toEqual(version);
    await pool.end();
    await drop();
  });
});
