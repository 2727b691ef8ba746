import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { codeOf, type MemoryContent } from '../kysely/engine.js';

/** How long to wait for another process while the file is opened or recovered, in milliseconds. The wait blocks this process. */
const BUSY_TIMEOUT_MS = 5_000;

/** Maximum number of cached statements. Queries with lists of varying length would otherwise fill the memory. */
const STATEMENT_CACHE_SIZE = 500;

/** A connection of `node:sqlite`. All calls are synchronous. */
export interface SqliteConnection {
  query(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<never>;
  close(): void;
  /** `undefined` for a file, and before Node 24. */
  readonly content?: MemoryContent | undefined;
}

/** Acknowledged commits survive a power failure (`synchronous` FULL). Readers don't wait for a writer (WAL). */
export function openNodeSqlite(path: string): SqliteConnection {
  if (path !== ':memory:') createPrivateFile(path);
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // From here on, WriteQueue waits for locks without blocking the process.
  database.exec('PRAGMA busy_timeout = 0');
  return connectionOf(database);
}

/**
 * Creates a file that only its owner can read: it will contain personal data. SQLite gives its journal files the same
 * mode. An existing file isn't opened: closing it would release the locks of this process's other connections to it.
 */
function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // SQLite would open a file that it can't write to, and reject each write later.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  // A link to a file that doesn't exist yet.
  else closeSync(openSync(path, 'a', 0o600));
}

/** Opens, for reading, a file that {@link openNodeSqlite} has already opened. Each query sees the latest commit. */
export function openNodeSqliteReader(path: string): SqliteConnection {
  return connectionOf(new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
}

/** True if a statement failed because another process is writing. */
export function isSqliteBusy(error: unknown): boolean {
  return codeOf(error) === SQLITE_BUSY;
}

const SQLITE_BUSY = 5;

function connectionOf(database: DatabaseSync): SqliteConnection {
  const statements = new Map<string, PreparedStatement>();
  const prepared = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear();
    const statement = prepare(database, sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    // The typed schema allows strings, numbers and null only.
    query: ({ sql, parameters }) => prepared(sql)(parameters as SQLInputValue[]),
    close: () => database.close(),
    content: contentOf(database),
  };
}

function contentOf(database: DatabaseSync): MemoryContent | undefined {
  // A file has a location.
  if (database.location() !== null || !('deserialize' in database)) return undefined;
  return {
    save: () => database.serialize(),
    load: (content) => database.deserialize(content),
  };
}

type PreparedStatement = (parameters: SQLInputValue[]) => QueryResult<never>;

function prepare(database: DatabaseSync, sql: string): PreparedStatement {
  const statement = database.prepare(sql);
  if (statement.columns().length > 0) {
    return (parameters) => ({ rows: statement.all(...parameters) as never[] });
  }
  return (parameters) => {
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
}
