import type { Database } from './open-database.js';

/**
 * Runs the work in one transaction: all of its writes are kept, or none. The work may be run again when the database
 * asks for it, so it must have no effect outside of the transaction.
 */
export function inTransaction<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(work);
}
