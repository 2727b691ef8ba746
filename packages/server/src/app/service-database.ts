import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceNamesOption } from '@latchkey/contract/constants';
import { isError } from '@latchkey/contract/constants';
import {
  parseServiceNames,
  recordServiceNames,
  replaceServiceNames,
} from '../features/operator/service-names.js';
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.js';
import {
  connectDatabase,
  type Database,
  databaseName,
  openDatabase,
} from '../platform/database/open-database.js';
import { migrate, type RunOptions } from '../platform/database/schema/migrate.js';
import { type SchemaStatus, schemaStatus } from '../platform/database/schema/schema-status.js';
import type { Logger } from '../platform/logging/logger.js';
import { checkDatabase, type ServerOptions } from './options.js';

const FIRST_PAUSE_MS = 250;
/** Maximum pause, in milliseconds. After an outage, the service starts at most this much later than the database. */
const LONGEST_PAUSE_MS = 10_000;

interface WaitOptions {
  readonly host: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** @throws an attempt's error if waiting can't help, or the signal's reason. What opens after that is destroyed. */
export async function waitForDatabase<Opened extends { destroy(): Promise<void> }>(
  open: () => Promise<Opened>,
  { host, logger, signal }: WaitOptions,
): Promise<Opened> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await openUnlessAborted(open, signal);
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      const nextWaitMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
      const reason = isError(error) ? error.message : String(error);
      logger.warn({ host, attempt, nextWaitMs, reason }, 'The database is not available; trying again');
      await pause(nextWaitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Opens the database. An attempt can take as long as the connect timeout, but the signal ends the wait at once. */
async function openUnlessAborted<Opened extends { destroy(): Promise<void> }>(
  open: () => Promise<Opened>,
  signal: AbortSignal,
): Promise<Opened> {
  const attempt = open();
  const ended = new AbortController();
  const aborted = once(signal, 'abort', { signal: ended.signal }).then(() => signal.throwIfAborted());
  try {
    return (await Promise.race([attempt, aborted])) as Opened;
  } catch (error) {
    if (signal.aborted) void attempt.then((late) => late.destroy()).catch(() => undefined);
    throw error;
  } finally {
    ended.abort();
  }
}

/** True if a later attempt can succeed. The engine's error may be the `cause` of one with the database's name. */
function isTemporary(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true;
  return isError(error) && isDatabaseUnavailable(error.cause);
}

/** @throws Error if the database can't be opened, or is reserved for another purpose or other names. */
export async function openServiceDatabase(
  options: ServerOptions,
  { logger, now }: { logger: Logger; now: number },
): Promise<Database> {
  const url = checkDatabase(options);
  const open = async () => {
    const db = await openDatabase(url, { logger, migrate: options.migrate ?? true });
    try {
      await reserveDatabase(db, options.databasePurpose ?? 'service', now);
      await settleServiceNames(db, options, logger);
      return db;
    } catch (error) {
      await db.destroy();
      throw error;
    }
  };
  const signal = options.waitForDatabase;
  if (signal === undefined) return await open();
  return await waitForDatabase(open, { host: databaseName(url), logger, signal });
}

async function settleServiceNames(
  db: Database,
  { serviceNames = {}, replaceServiceNames: mayReplace = false }: ServerOptions,
  logger: Logger,
): Promise<void> {
  if (!mayReplace) return void (await recordServiceNames(db, serviceNames));
  const { names, replaced } = await replaceServiceNames(db, serviceNames);
  if (replaced === undefined) return;
  logger.warn({ names, replaced }, 'The service has new names. API keys of another prefix no longer work.');
}

/** If several processes start at once, the first one decides. @throws Error if the database has another purpose. */
async function reserveDatabase(db: Database, purpose: string, now: number): Promise<void> {
  const recorded =
    (await readPurpose(db)) ??
    (await db
      .insertInto('database_use')
      .values({ id: 1, use: purpose, since: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
      .then(() => readPurpose(db)));
  if (recorded !== purpose) {
    throw new Error(
      `Option "database" names a database whose purpose is "${recorded}". This server needs one whose purpose is "${purpose}": use a database that no other service uses.`,
    );
  }
}

async function readPurpose(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('database_use').select('use').executeTakeFirst();
  return row?.use;
}

/** Options of {@link migrateDatabase}. */
export interface MigrateOptions extends Pick<RunOptions, 'contract' | 'logger'> {
  /**
   * Names of the service, as in `startServer`.
   *
   * @default the names do not change
   */
  serviceNames?: ServiceNamesOption;
  /**
   * Replaces the names that the database has. API keys with another prefix stop working. Stop all servers first: they
   * keep using the names that they started with.
   *
   * @default false
   */
  replaceServiceNames?: boolean;
}

/**
 * Applies the pending expand migrations of a database. Servers of this version and the previous one may keep using the
 * database meanwhile. A new database gets the contract migrations too.
 *
 * @param url database URL, in the format of the option `database` of `startServer`.
 * @throws Error if `serviceNames` is invalid, the database has other names, or this version doesn't work after a newer
 * version's migrations.
 * @returns the names of the applied migrations; empty if none was pending.
 */
export async function migrateDatabase(
  url: string,
  { serviceNames, replaceServiceNames: mayReplace = false, ...options }: MigrateOptions = {},
): Promise<readonly string[]> {
  if (serviceNames !== undefined) parseServiceNames(serviceNames);
  return await thenClose(await connectDatabase(url, { purpose: 'migrations' }), async (db) => {
    const applied = await migrate(db, options);
    if (serviceNames === undefined) return applied;
    await (mayReplace ? replaceServiceNames : recordServiceNames)(db, serviceNames);
    return applied;
  });
}

/**
 * Compares a database's schema with this version's. Changes nothing.
 *
 * @throws Error if the database doesn't exist.
 */
export async function readSchemaStatus(url: string): Promise<SchemaStatus> {
  return await thenClose(await connectDatabase(url, { mustExist: true }), schemaStatus);
}

async function thenClose<Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
