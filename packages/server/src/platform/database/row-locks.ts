import { PostgresAdapter } from './kysely/kysely.js';
import type { Database } from './open-database.js';

/**
 * Whether the engine locks rows, so that a query can pass by those that somebody else is changing
 * (`FOR UPDATE SKIP LOCKED`). SQLite has one writer at a time and nothing to pass by.
 */
export function hasRowLocks(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
