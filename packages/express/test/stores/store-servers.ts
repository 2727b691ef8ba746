import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session from 'express-session';
import pg from 'pg';
import { createClient } from 'redis';
import { inject } from 'vitest';
import { type ExpressSessionStore, postgresLock, redisLock, type SessionLock } from '../../src/index.js';

export type StoreKind = 'Redis' | 'PostgreSQL';

/** Returns the stores of a race: the first one in `npm test`, and all of them in the long form, which sets `LATCHKEY_ROUNDS`. */
export function storesOfRace<Store>(all: readonly Store[]): readonly Store[] {
  return process.env.LATCHKEY_ROUNDS === undefined ? all.slice(0, 1) : all;
}

const DISCONNECT_TIMEOUT_MS = 5_000;

/** Address of the store's server. */
export interface StoreAddress {
  kind: StoreKind;
  url: string;
  /** Prefix of all Redis keys. */
  prefix: string;
}

/** A store and a lock on a real server, created as in an app. */
export interface OpenStore {
  address: StoreAddress;
  store: ExpressSessionStore;
  lock: SessionLock;
  /** Returns the whole content of the store's server. */
  contents(): Promise<{ key: string; text: string; expiresInMs: number }[]>;
  /** Overwrites a record directly. */
  overwrite(key: string, text: string): Promise<void>;
  close(): Promise<void>;
}

export async function openStore(kind: StoreKind): Promise<OpenStore> {
  return kind === 'Redis' ? openRedis() : openPostgres();
}

/** Replaces the server's URL (for a proxy) or the prefix (for a shared server). */
export async function openRedis({
  url = inject('redis'),
  prefix = `t${randomBytes(6).toString('hex')}:`,
} = {}): Promise<OpenStore> {
  const client = createClient({ url, socket: { reconnectStrategy: 50 } });
  client.on('error', () => {});
  await client.connect();
  const recordKeys = () => client.keys(`${prefix}sess:*`);
  return {
    address: { kind: 'Redis', url, prefix },
    store: new RedisStore({ client, prefix: `${prefix}sess:` }),
    lock: redisLock(client, { prefix: `${prefix}lock:` }),
    contents: async () =>
      Promise.all(
        (await recordKeys()).map(async (key) => ({
          key: key.slice(`${prefix}sess:`.length),
          text: (await client.get(key)) ?? '',
          expiresInMs: await client.pTTL(key),
        })),
      ),
    overwrite: async (key, text) => void (await client.set(`${prefix}sess:${key}`, text)),
    close: async () => client.destroy(),
  };
}

const PgStore = connectPgSimple(session);

async function openPostgres(): Promise<OpenStore> {
  const { url, drop } = await createDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => {});
  const store = new PgStore({ pool, createTableIfMissing: true, pruneSessionInterval: false });
  // Creates the table.
  await new Promise<void>((resolve, reject) =>
    store.get('none', (error) => (error ? reject(error) : resolve())),
  );
  return {
    address: { kind: 'PostgreSQL', url, prefix: '' },
    store,
    lock: postgresLock(pool),
    async contents() {
      const { rows } = await pool.query<{ sid: string; sess: unknown; ms: string }>(
        'select sid, sess, extract(epoch from expire::timestamptz - now()) * 1000 as ms from session',
      );
      return rows.map(({ sid, sess, ms }) => ({
        key: sid,
        text: JSON.stringify(sess),
        expiresInMs: Number(ms),
      }));
    },
    overwrite: async (key, text) =>
      void (await pool.query('update session set sess = $2 where sid = $1', [key, text])),
    async close() {
      await pool.end();
      await drop();
    },
  };
}

/** Databases that tests have given back. Emptying one takes a fraction of the time of creating and dropping one. */
const idle: string[] = [];

/** Drops all schemas of a database, and creates the default one again. */
const EMPTY = `do $$
  declare name text;
  begin
    for name in select nspname from pg_namespace where nspname !~ '^(pg_|information_schema$)' loop
      execute format('drop schema %I cascade', name);
    end loop;
    create schema public;
  end $$`;

/** Returns an empty PostgreSQL database. `drop` empties it for the next test; all are dropped at the end of the run. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { url: serverUrl, prefix } = inject('postgres');
  let name = idle.pop();
  if (name === undefined) {
    name = `${prefix}_${randomBytes(6).toString('hex')}`;
    await onDatabase(serverUrl, 'postgres', `create database ${name} template template0`);
  }
  const created = name;
  const url = new URL(serverUrl);
  url.pathname = `/${created}`;
  const drop = async () => {
    if (await untilDisconnected(serverUrl, created)) {
      await onDatabase(serverUrl, created, EMPTY);
      idle.push(created);
    } else await onDatabase(serverUrl, 'postgres', `drop database ${created} with (force)`);
  };
  return { url: url.href, drop };
}

/**
 * Waits until the server has closed the connections to a database. `pool.end()` resolves before, and the next test must not
 * meet them. Resolves with false if it takes too long.
 */
async function untilDisconnected(serverUrl: string, name: string): Promise<boolean> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < DISCONNECT_TIMEOUT_MS) {
    const rows = await onDatabase(
      serverUrl,
      'postgres',
      `select 1 from pg_stat_activity where datname = '${name}'`,
    );
    if (rows.length === 0) return true;
    await pause(10);
  }
  return false;
}

async function onDatabase(serverUrl: string, name: string, statement: string): Promise<unknown[]> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}
