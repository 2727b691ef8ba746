import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '@latchkey/contract/constants';
import { Kysely } from 'kysely';
import type { Schema } from '../../migrations/schema.js';
import { defaultLogger, type Logger } from '../logging/logger.js';
import { type Engine, setEngine } from './kysely/engine.js';
import type { PostgresLocation } from './postgres/postgres.js';
import { migrate } from './schema/migrate.js';
import { checkSchema, schemaStatus } from './schema/schema-status.js';
import { openSqlite } from './sqlite/sqlite-dialect.js';

type DatabaseLocation =
  | {
      engine: 'sqlite';
      /** A file, or `:memory:`. */
      path: string;
    }
  | PostgresLocation;

/** Scheme of a URL with a host. Without `//`, what comes before the first colon can be a password. */
const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:(?=\/\/)/i;
/** By default, a PostgreSQL server accepts 100 connections in total. */
const DEFAULT_CONNECTION_LIMIT = 10;
const DEFAULT_CONNECT_TIMEOUT_SECONDS = 5;

/** Reads the option `database`. @throws Error that repeats only the scheme: the URL may contain a password. */
export function parseDatabaseUrl(text: string): DatabaseLocation {
  const [scheme = ''] = text.split(':');
  const shownScheme = SCHEME.exec(text)?.[0];
  if (scheme === 'sqlite' && text.length > 'sqlite:'.length) {
    return { engine: 'sqlite', path: text.slice('sqlite:'.length) };
  }
  if (scheme === 'postgres' || scheme === 'postgresql') {
    return parsePostgresUrl(text);
  }
  const seen = shownScheme === undefined ? 'is not a database URL' : `starts with "${shownScheme}"`;
  throw new Error(
    `Option "database" ${seen}. Use sqlite::memory:, sqlite:/path/to/file.sqlite or postgres://user:password@host/name.`,
  );
}

function parsePostgresUrl(text: string): PostgresLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isDecodable(url)) {
    throw new Error(
      'Option "database" is a postgres: URL that cannot be read. A password with characters such as @ / ? # % needs them percent-encoded.',
    );
  }
  if (url.pathname.length < 2) {
    throw new Error('Option "database" names no database: end the postgres: URL with a slash and its name.');
  }
  return {
    engine: 'postgres',
    url,
    connectionLimit: readCount(url, 'connection_limit') ?? DEFAULT_CONNECTION_LIMIT,
    connectTimeoutMs: 1000 * (readCount(url, 'connect_timeout') ?? DEFAULT_CONNECT_TIMEOUT_SECONDS),
  };
}

function readCount({ searchParams }: URL, name: string): number | undefined {
  const text = searchParams.get(name);
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new Error(`Option "database" has a ${name} that is no whole number from 1 to 9999.`);
  }
  return Number(text);
}

/** True if each part can be percent-decoded. pg's own error would contain the whole URL. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    [username, password, pathname].map(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
}

/** The database, or a transaction in it. */
export type Database = Kysely<Schema>;

interface ConnectOptions {
  /** Logs lost connections, and migrations that wait. @default writes to standard error */
  logger?: Logger;
  /** Rejects a SQLite file that doesn't exist, instead of creating it. @default false */
  mustExist?: boolean;
  /** `migrations` has no statement timeouts: a migration, or waiting for one, can take longer. @default "requests" */
  purpose?: 'requests' | 'migrations';
}

/** A database in memory with the newest schema and no data. `undefined` until this process has migrated one. */
let migratedInMemory: Uint8Array | undefined;

/**
 * Opens a database and applies its pending expand migrations; in a new one, the contract migrations too. Several
 * processes may do so at once. With `migrate: false`, the schema must have all expand migrations of this version. A
 * database in memory is a copy of this process's first one: tests start a service in memory for each test.
 *
 * @throws Error if the URL is invalid, or the database can't be reached or migrated. It never contains the password.
 */
export async function openDatabase(
  url: string,
  { logger = defaultLogger, migrate: mayMigrate = true }: { logger?: Logger; migrate?: boolean } = {},
): Promise<Database> {
  const { db, content } = await connect(url, { logger });
  try {
    if (mayMigrate && content !== undefined && migratedInMemory !== undefined) {
      content.load(migratedInMemory);
      return db;
    }
    const status = await withDatabaseName(url, schemaStatus(db));
    checkSchema(status, { mayLack: mayMigrate });
    if (status.pending.length > 0) {
      await withDatabaseName(url, applyPending(db, { url, logger }));
      migratedInMemory ??= content?.save();
    }
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Doesn't check the schema. A PostgreSQL connection is made with the first query. @throws as {@link openDatabase}. */
export async function connectDatabase(url: string, options?: ConnectOptions): Promise<Database> {
  return (await connect(url, options)).db;
}

async function connect(
  url: string,
  { logger = defaultLogger, mustExist = false, purpose = 'requests' }: ConnectOptions = {},
): Promise<{ db: Database; content: Engine['content'] }> {
  const location = parseDatabaseUrl(url);
  if (location.engine === 'sqlite') checkFile(location.path, mustExist);
  const engine = await withDatabaseName(url, openEngine(location, { logger, purpose }));
  const db = new Kysely<Schema>({ dialect: engine.dialect });
  setEngine(db, engine);
  return { db, content: engine.content };
}

async function openEngine(
  location: DatabaseLocation,
  options: { logger: Logger; purpose: 'requests' | 'migrations' },
): Promise<Engine> {
  if (location.engine === 'sqlite') return openSqlite(location.path, options.logger);
  // Loaded on demand: a server on SQLite starts faster.
  const { openPostgres } = await import('./postgres/postgres.js');
  return openPostgres(location, options);
}

function checkFile(path: string, mustExist: boolean): void {
  if (path === ':memory:') {
    if (!mustExist) return;
    throw new Error(
      'Option "database" is sqlite::memory:, which no other process can open. Use the path of a file.',
    );
  }
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) {
    throw new Error(
      `Option "database" is a file in the folder ${folder}, which does not exist. Create the folder first.`,
    );
  }
  if (mustExist && !existsSync(path)) {
    throw new Error(
      `Option "database" is the file ${path}, which does not exist. Start a server or run "latchkey migrate" to create it.`,
    );
  }
}

async function applyPending(db: Database, { url, logger }: { url: string; logger: Logger }): Promise<void> {
  // A second connection could not see a database in memory.
  if (parseDatabaseUrl(url).engine === 'sqlite') {
    await migrate(db, { logger });
    return;
  }
  const migrating = await connectDatabase(url, { logger, purpose: 'migrations' });
  await migrate(migrating, { logger }).finally(() => migrating.destroy());
}

/** Adds the name of the database to the engine's error. */
async function withDatabaseName<Result>(url: string, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    const message = `The database ${databaseName(url)} could not be opened: ${messageOf(error)}`;
    throw new Error(message, { cause: error });
  }
}

/** Returns what messages call a database: host and name, or the file. Never the user or the password. */
export function databaseName(url: string): string {
  const location = parseDatabaseUrl(url);
  if (location.engine === 'sqlite') return location.path;
  return `${location.url.host || 'localhost'}${location.url.pathname}`;
}
