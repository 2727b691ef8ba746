import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defaultLogger, type Logger } from '../logging/logger.js';
import { type DatabaseLocation, parseDatabaseUrl } from './database-url.js';
import { type DirectRead, readDirectly } from './direct-read.js';
import { type Dialect, Kysely } from './kysely/kysely.js';
import { migrate, newerSchema, schemaStatus } from './migrate.js';
import type { Schema } from './schema.js';
import { openSqlite } from './sqlite-dialect.js';

/** The database, or a transaction in it. */
export type Database = Kysely<Schema>;

/** Options of {@link connectDatabase}. */
export interface ConnectOptions {
  /** Hears of connections that are lost. Default: standard error. */
  logger?: Logger;
  /** Refuses a file that this call would have to make. Default false. */
  mustExist?: boolean;
  /** `migrations` take their time and wait for another process's; requests may not. Default `requests`. */
  purpose?: 'requests' | 'migrations';
}

/**
 * Opens a database and brings it to the newest schema; several processes may do so at once.
 *
 * @param url `sqlite::memory:`, `sqlite:` and the path of a file, or `postgres://user:password@host:port/name`.
 * @throws Error when the URL names no engine that is known here or a file in a folder that does not exist, or when the
 *   database cannot be reached or migrated. No message holds the password.
 */
export async function openDatabase(url: string, { logger }: { logger?: Logger } = {}): Promise<Database> {
  const db = await connectDatabase(url, { ...(logger && { logger }) });
  try {
    const { pending, unknown } = await explained(url, schemaStatus(db));
    if (unknown.length > 0) throw newerSchema(unknown);
    if (pending.length > 0) await explained(url, bringUpToDate(db, url));
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Opens a database as it is, whatever schema it has. A PostgreSQL server is not asked for anything yet.
 *
 * @param url as {@link openDatabase} takes it.
 * @throws Error as {@link openDatabase} does for a URL; with `mustExist` also for a file that is not there.
 */
export async function connectDatabase(
  url: string,
  { logger = defaultLogger, mustExist = false, purpose = 'requests' }: ConnectOptions = {},
): Promise<Database> {
  const location = parseDatabaseUrl(url);
  if (location.engine === 'sqlite') checkFile(location.path, mustExist);
  const { dialect, read } = await explained(url, openEngine(location, { logger, purpose }));
  const db = new Kysely<Schema>({ dialect });
  if (read !== undefined) readDirectly(db, read);
  return db;
}

async function openEngine(
  location: DatabaseLocation,
  options: { logger: Logger; purpose: 'requests' | 'migrations' },
): Promise<{ dialect: Dialect; read: DirectRead | undefined }> {
  if (location.engine === 'sqlite') return openSqlite(location.path);
  // Loaded when it is needed: a server on SQLite starts without it.
  const { openPostgres } = await import('./postgres.js');
  return openPostgres(location, options);
}

function checkFile(path: string, mustExist: boolean): void {
  if (path === ':memory:') {
    if (!mustExist) return;
    throw new Error(
      'Option "database" is sqlite::memory:, which only the process that holds it can see. Name a file.',
    );
  }
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) {
    throw new Error(
      `Option "database" names a file in ${folder}, and there is no such folder. Make it first.`,
    );
  }
  if (mustExist && !existsSync(path)) {
    throw new Error(
      `Option "database" names ${path}, and there is no such file. A server or "latchkey migrate" makes it.`,
    );
  }
}

async function bringUpToDate(db: Database, url: string): Promise<void> {
  // What is in memory is there for the one who holds it only.
  if (parseDatabaseUrl(url).engine === 'sqlite') {
    await migrate(db);
    return;
  }
  const migrating = await connectDatabase(url, { purpose: 'migrations' });
  await migrate(migrating).finally(() => migrating.destroy());
}

/** Names the database in a failure of the engine. */
async function explained<Result>(url: string, asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    const message = `The database ${databaseName(url)} could not be opened: ${reasonOf(error)}`;
    throw new Error(message, { cause: error });
  }
}

/** Returns what identifies a database in messages: host and name, or a file. Never its user or password. */
export function databaseName(url: string): string {
  const location = parseDatabaseUrl(url);
  if (location.engine === 'sqlite') return location.path;
  return `${location.url.host || 'localhost'}${location.url.pathname}`;
}

function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each of them, and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
