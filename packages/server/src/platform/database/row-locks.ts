import { type Kysely, PostgresAdapter } from './kysely/kysely.js';
import type { Schema } from './schema.js';

/**
 * True if the engine locks rows, so that a query can skip rows that another transaction changes (`FOR UPDATE SKIP
 * LOCKED`). SQLite has one writer at a time and no row locks.
 */
export function hasRowLocks(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
