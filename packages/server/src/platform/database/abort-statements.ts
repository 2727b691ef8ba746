import type { Database } from './open-database.js';

const abortions = new WeakMap<Database, () => void>();

/** Stores the function that closes the connections of a database. */
export function enableAbort(db: Database, abort: () => void): void {
  abortions.set(db, abort);
}

/**
 * Closes all connections of a database at once, so that statements that wait for an unresponsive server reject. SQLite has no
 * such statements.
 */
export function abortStatements(db: Database): void {
  abortions.get(db)?.();
}
