import { randomBytes } from 'node:crypto';
import type { SessionLock } from '../session/session-lock.js';
import { isCreatedMeanwhile } from './created-meanwhile.js';

/** A `Pool` of the package `pg`, or anything that runs one statement and gives its rows. */
export interface PostgresPool {
  query(statement: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * A lock in PostgreSQL: a row that is claimed by one conditional statement and expires by the database's clock. No
 * connection is held meanwhile, as it would be with advisory locks, so a slow service does not drain the pool.
 * @param options.table Its name, created when missing. Default `latchkey_locks`.
 * @param options.createTable False when the app's role may not create tables. Default true.
 */
export function postgresLock(
  pool: PostgresPool,
  {
    table = 'latchkey_locks',
    createTable = true,
  }: { table?: string | undefined; createTable?: boolean | undefined } = {},
): SessionLock {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(table)) {
    throw new TypeError(
      `postgresLock: table must be a plain lower-case name, got ${JSON.stringify(table.slice(0, 80))}.`,
    );
  }
  let ready: Promise<void> | undefined;
  const prepare = () => {
    ready ??= (createTable ? ensureTable(pool, table) : Promise.resolve()).catch((error: unknown) => {
      // To be tried again the next time.
      ready = undefined;
      throw error;
    });
    return ready;
  };
  return {
    async acquire(key, ttlMs) {
      await prepare();
      const holder = randomBytes(16).toString('base64url');
      const { rows } = await pool.query(
        `insert into ${table} as held (key, holder, expires_at)
         values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (key) do update set holder = excluded.holder, expires_at = excluded.expires_at
         where held.expires_at <= clock_timestamp()
         returning key`,
        [key, holder, ttlMs],
      );
      if (rows.length === 0) return undefined;
      return async () =>
        void (await pool.query(`delete from ${table} where key = $1 and holder = $2`, [key, holder]));
    },
  };
}

async function ensureTable(pool: PostgresPool, table: string): Promise<void> {
  try {
    await pool.query(
      `create table if not exists ${table} (key text primary key, holder text not null, expires_at timestamptz not null)`,
    );
  } catch (error) {
    if (!isCreatedMeanwhile(error)) throw error;
  }
  // What processes that were killed have left behind.
  await pool.query(`delete from ${table} where expires_at < clock_timestamp() - interval '1 hour'`);
}
