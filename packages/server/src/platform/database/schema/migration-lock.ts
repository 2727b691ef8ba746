import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from '../kysely/kysely.js';
import type { Schema } from './schema.js';

/** Key of the advisory lock. */
const LOCK_KEY = 3_853_314_791;
/** Pause between two attempts, in milliseconds. */
const POLL_MS = 200;

/**
 * Runs work while no other process migrates the PostgreSQL database. Other processes wait until the work ends, or the process
 * that does it.
 *
 * A transaction on a separate connection holds the lock, so it also works through a pool of connections such as PgBouncer. The
 * processes poll for it: `create index concurrently` waits for every running statement, also for one that waits for the lock.
 */
export async function withMigrationLock<Result>(
  db: Kysely<Schema>,
  work: () => Promise<Result>,
): Promise<Result> {
  // Between two statements, a transaction of this isolation level has no snapshot that others wait for.
  const transaction = db.transaction().setIsolationLevel('read committed');
  return await transaction.execute(async (lock) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
    for (;;) {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(LOCK_KEY)}) as locked`.execute(lock);
      if (rows[0]?.locked === true) return await work();
      await pause(POLL_MS);
    }
  });
}
