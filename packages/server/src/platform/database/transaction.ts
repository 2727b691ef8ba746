import { setTimeout as wait } from 'node:timers/promises';
import { isError } from '@latchkey/contract/constants';
import { codeOf } from './kysely/engine.js';
import type { Database } from './open-database.js';
import { isStalePlan } from './postgres/postgres-statements.js';

/** Serialization failure, deadlock, unique violation: a retry finds the row that the other transaction inserted. */
const RETRIED_STATES = new Set<unknown>(['40001', '40P01', '23505']);

/** These take about three seconds. Conflicts that last longer mean an overloaded database. */
const MAX_ATTEMPTS = 40;
const LONGEST_PAUSE_MS = 200;

/**
 * Runs the work in one serializable transaction: either all of its writes are stored or none, and no other transaction
 * affects what it reads. After a conflict the work runs again, so it must have no effect outside the transaction.
 * Inside another transaction, the work joins it.
 *
 * @param options.isolation with `read committed` each statement sees the latest commits. That's cheaper, but correct
 * only where a conditional write decides and earlier reads don't matter. SQLite is always serializable.
 * @throws the work's error, or the database's error after forty conflicts.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
  { isolation = 'serializable' }: { isolation?: 'serializable' | 'read committed' } = {},
): Promise<Result> {
  if (db.isTransaction) return await work(db);
  let canBeStale = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().setIsolationLevel(isolation).execute(work);
    } catch (error) {
      // One retry finds out that another transaction deleted the row. If it refers to the row again, it doesn't read it
      // first.
      const isStale = canBeStale && isForeignKeyViolation(error);
      if (isStale) canBeStale = false;
      const isRetried = isStale || isStalePlan(error) || RETRIED_STATES.has(codeOf(error));
      if (attempt === MAX_ATTEMPTS || !isRetried) throw error;
    }
    // Random, so transactions that collided don't collide again.
    await wait(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
  }
}

const POSTGRES_FOREIGN_KEY = '23503';
const SQLITE_FOREIGN_KEY = 787;

/** True if a write referred to a row that doesn't exist, for example when another transaction has deleted it. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!isError(error)) return false;
  if ('errcode' in error) return Number(error.errcode) === SQLITE_FOREIGN_KEY;
  return 'code' in error && error.code === POSTGRES_FOREIGN_KEY;
}
