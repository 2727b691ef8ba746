import { randomBytes } from 'node:crypto';
import { createTable as createTableOnce, type PostgresPool } from '../../platform/postgres.js';
import type { SessionLock } from '../model/session-lock.js';

/**
 * Creates a lock in PostgreSQL: a row that one conditional statement acquires, and that expires by the database's clock.
 * Unlike advisory locks it occupies no connection, so a slow service does not exhaust the pool.
 * @param options.table Table name.
 * @default options.table 'latchkey_locks'
 * @param options.createTable Set to false if the app's role may not create tables.
 * @default options.createTable true
 * @throws TypeError if the table name would need quoting.
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
    ready ??= (createTable ? prepareTable(pool, table) : Promise.resolve()).catch((error: unknown) => {
      // The next call tries again.
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

async function prepareTable(pool: PostgresPool, table: string): Promise<void> {
  await createTableOnce(
    pool,
    `create table if not exists ${table} (key text primary key, holder text not null, expires_at timestamptz not null)`,
  );
  // Removes the locks of processes that died.
  await pool.query(`delete from ${table} where expires_at < clock_timestamp() - interval '1 hour'`);
}
