import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './open-database.js';
import { isStalePlan } from './postgres-statements.js';

/**
 * What PostgreSQL answers when a transaction has to be run again: a serialization failure, a deadlock, and a unique key
 * that somebody else took first, which a second run finds and reads.
 */
const RETRIED_STATES = new Set(['40001', '40P01', '23505']);

const MAX_ATTEMPTS = 20;
const LONGEST_PAUSE_MS = 100;

/** How a transaction is run. */
export interface TransactionOptions {
  /**
   * Default `serializable`. `read committed` is cheaper, and right only where one conditional write decides and nothing
   * that was read before it matters: each statement sees what others committed by then. SQLite is always serializable.
   */
  isolation?: 'serializable' | 'read committed';
}

/**
 * Runs the work in one transaction: all of its writes are kept, or none, and it sees the database as if nobody else
 * wrote in between (serializable): what it read before it writes still holds. The work may be run again when somebody
 * else was faster, so it must have no effect outside of the transaction.
 *
 * @throws whatever the work throws; the database's own error when somebody else was faster each of twenty times.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
  { isolation = 'serializable' }: TransactionOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().setIsolationLevel(isolation).execute(work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !mustRunAgain(error)) throw error;
    }
    // Random, so that those who collided once do not collide again.
    await wait(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
  }
}

function mustRunAgain(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  return error instanceof Error && 'code' in error && RETRIED_STATES.has(String(error.code));
}
