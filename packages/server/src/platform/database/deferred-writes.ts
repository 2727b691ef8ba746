import type { Compilable, CompiledQuery } from './kysely/kysely.js';
import { hasRowLocks } from './kysely/row-locks.js';
import type { Database } from './open-database.js';
import { asDeferredWrite } from './postgres/deferred-statements.js';

/**
 * Runs a write whose result is not needed. In a transaction on PostgreSQL it is sent together with the next statement or the
 * commit, which saves a wait for its response. If it fails, that statement or commit rejects with its error. Elsewhere it runs
 * at once.
 */
export async function runDeferredWrite(db: Database, write: Compilable): Promise<void> {
  await db.executeQuery(markDeferred(db, write.compile()));
}

/** Marks a compiled write as deferred, if the engine is PostgreSQL. */
export function markDeferred<Row>(db: Database, write: CompiledQuery<Row>): CompiledQuery<Row> {
  // Only PostgreSQL locks rows.
  return hasRowLocks(db) ? { ...write, sql: asDeferredWrite(write.sql) } : write;
}
