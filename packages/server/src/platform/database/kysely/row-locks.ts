import { type Kysely, PostgresAdapter } from 'kysely';

/**
 * True if the engine locks rows, and a query can skip the rows that another transaction is changing
 * (`FOR UPDATE SKIP LOCKED`). SQLite has one writer at a time and no row locks.
 */
export function hasRowLocks<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
