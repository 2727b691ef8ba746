import { type Kysely, PostgresAdapter } from 'kysely';

/**
 * True if the engine locks rows, so that a query can skip rows that another transaction changes (`FOR UPDATE SKIP
 * LOCKED`). SQLite has one writer at a time and no row locks.
 */
export function hasRowLocks<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
