import type { Database } from './open-database.js';

/**
 * Runs the work in one transaction: all of its writes are kept, or none, and it sees the database as if nobody else
 * wrote in between (serializable): what it read before it writes still holds. The work may be run again when somebody
 * else was faster, so it must have no effect outside of the transaction.
 */
export function inTransaction<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(work);
}
