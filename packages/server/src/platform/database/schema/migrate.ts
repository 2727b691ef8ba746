import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from '../../../migrations/migration.js';
import { MIGRATIONS, type Migrations } from '../../../migrations/migrations.js';
import type { Schema } from '../../../migrations/schema.js';
import { systemClock } from '../../clock.js';
import { defaultLogger, type Logger } from '../../logging/logger.js';
import { codeOf } from '../kysely/engine.js';
import { hasRowLocks } from '../kysely/row-locks.js';
import {
  checkSchema,
  createMigrationRecords,
  olderProcesses,
  recordMigration,
  schemaStatus,
} from './schema-status.js';

/** Requests that need the table queue behind the migration, so this is also the longest that it delays them. */
const LOCK_TIMEOUT_MS = 500;
/** Attempts to lock a migration's tables. With the pauses between them, they take about five minutes. */
const MAX_ATTEMPTS = 60;
/** Pause between two attempts, in milliseconds. Requests that have queued are answered meanwhile. */
const RETRY_PAUSE_MS = 4_500;

/** PostgreSQL error codes after which a migration is tried again: lock timeout, deadlock. */
const RETRIED_STATES = new Set<unknown>(['55P03', '40P01']);

/** Key of the advisory lock that a migrating process holds. */
const MIGRATION_LOCK_KEY = 3_853_314_791;
/** Pause between two attempts to get that lock, in milliseconds. */
const LOCK_POLL_MS = 200;

export interface RunOptions {
  /**
   * Also runs pending contract migrations. Earlier versions don't work after them, so none of their processes may be
   * left: on PostgreSQL the call rejects if it finds one. A new database always gets them.
   *
   * @default false
   */
  contract?: boolean;
  /**
   * Logs migrations that wait for a table.
   *
   * @default a logger to standard error
   */
  logger?: Logger;
  /** @default the migrations of this version */
  list?: Migrations;
  /** @default 60 */
  maxAttempts?: number;
  /** @default 4500 milliseconds */
  retryPauseMs?: number;
}

/**
 * Applies the pending expand migrations, and on request the contract migrations. If several processes migrate at once,
 * one does the work and the others wait. Doesn't use Kysely's `Migrator`: it applies all migrations in one transaction,
 * which would lock their tables until the end, and rejects a schema with migrations of a newer version. On PostgreSQL
 * each migration is a separate transaction, and a failure keeps the earlier ones. On SQLite, and in a new database, all
 * of them are one transaction.
 *
 * @param db has two connections on PostgreSQL: one holds the lock.
 */
export async function migrate(db: Kysely<Schema>, options: RunOptions = {}): Promise<string[]> {
  if (!hasRowLocks(db)) {
    return await db.transaction().execute((transaction) => applyAll(transaction, options));
  }
  return await withMigrationLock(db, () => applyAll(db, options));
}

/**
 * A transaction on a separate connection holds the lock, so it also works through a connection pool such as PgBouncer.
 * Others poll: `create index concurrently` waits for every running statement, including one that waits for the lock.
 */
async function withMigrationLock<Result>(db: Kysely<Schema>, work: () => Promise<Result>): Promise<Result> {
  // Between two statements, a transaction of this isolation level has no snapshot that others wait for.
  const transaction = db.transaction().setIsolationLevel('read committed');
  return await transaction.execute(async (lock) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
    for (;;) {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(MIGRATION_LOCK_KEY)}) as locked`.execute(lock);
      if (rows[0]?.locked === true) return await work();
      await pause(LOCK_POLL_MS);
    }
  });
}

async function applyAll(db: Kysely<Schema>, options: RunOptions): Promise<string[]> {
  const { list = MIGRATIONS, contract = false } = options;
  await createMigrationRecords(db);
  const status = await schemaStatus(db, list);
  checkSchema(status, { mayLack: true });
  const isNew = status.applied.length + status.unknown.length === 0;
  // Expand migrations run first: a contract migration can rely on them.
  const names = isNew ? Object.keys(list) : [...status.pending, ...(contract ? status.pendingContract : [])];
  if (isNew && !db.isTransaction) {
    await db.transaction().execute(async (transaction) => {
      for (const name of names) await applyOne(transaction, name, options);
    });
    return names;
  }
  for (const name of names) {
    const migration = migrationOf(list, name);
    if (migration.kind === 'contract' && !isNew) await rejectOlderProcesses(db, migration.worksFrom ?? name);
    await applyOne(db, name, options);
  }
  return names;
}

function migrationOf(list: Migrations, name: string): Migration {
  const migration = list[name];
  if (migration === undefined) throw new Error(`The version has no migration "${name}".`);
  return migration;
}

async function rejectOlderProcesses(db: Kysely<Schema>, worksFrom: string): Promise<void> {
  const older = await olderProcesses(db, worksFrom);
  if (older.length === 0) return;
  throw new Error(
    `Processes of an earlier version are connected to the database: ${older.join(', ')}. They do not work after the contract migrations. Replace all processes with this version first.`,
  );
}

async function applyOne(db: Kysely<Schema>, name: string, options: RunOptions): Promise<void> {
  const { list = MIGRATIONS, logger = defaultLogger } = options;
  const { maxAttempts = MAX_ATTEMPTS, retryPauseMs = RETRY_PAUSE_MS } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOne(db, name, migrationOf(list, name));
    } catch (error) {
      if (db.isTransaction || !RETRIED_STATES.has(codeOf(error))) throw error;
      if (attempt >= maxAttempts) throw blockedMigration(name, error);
      logger.warn({ migration: name, attempt }, 'A transaction blocks a migration; trying again');
    }
    // Random, so the attempts don't run into the same periodic work each time.
    await pause(retryPauseMs * (0.5 + Math.random()));
  }
}

async function attemptOne(db: Kysely<Schema>, name: string, migration: Migration): Promise<void> {
  const record = (on: Kysely<Schema>) => recordMigration(on, name, { migration, now: systemClock.now() });
  const run = async (on: Kysely<Schema>) => {
    await migration.up(on as unknown as Kysely<unknown>);
    await record(on);
  };
  if (db.isTransaction) return await run(db);
  if (migration.transaction === 'none') return await withoutStatementTimeout(db, run);
  await db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
    await sql`set local statement_timeout = 0`.execute(transaction);
    await run(transaction);
  });
}

/** The role can have timeouts for requests that creating an index of a large table would exceed. */
async function withoutStatementTimeout(
  db: Kysely<Schema>,
  work: (connection: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await work(connection);
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

function blockedMigration(name: string, cause: unknown): Error {
  return new Error(
    `The migration ${name} could not lock its tables, because a long transaction uses them. Nothing of it is applied. End that transaction (pg_stat_activity lists it), and run "latchkey migrate" again.`,
    { cause },
  );
}
