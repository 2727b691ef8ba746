import { type Kysely, PostgresAdapter } from 'kysely';

/** SQLite has one writer at a time, no row locks, and no `FOR UPDATE SKIP LOCKED`. */
export function hasRowLocks<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
