import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from './kysely/kysely.js';

/** How long a statement waits for another process, while it opens or repairs the file. It blocks this process. */
const BUSY_TIMEOUT_MS = 5_000;

/** Kysely's queries come from a fixed set of call sites; the bound is for those with lists of varying length. */
const STATEMENT_CACHE_SIZE = 500;

/** One connection of Node's own SQLite. Every call is done when it returns. */
export interface SqliteConnection {
  /** Runs a query and gives what it returned. */
  query(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<never>;
  close(): void;
}

/**
 * Opens a database for writing. What a commit acknowledged survives a power cut (`synchronous` FULL), readers do not
 * wait for a writer (WAL), and foreign keys are enforced.
 *
 * @param path a file, or `:memory:`.
 */
export function openNodeSqlite(path: string): SqliteConnection {
  // Addresses of people are in there: a new file is its owner's alone, and SQLite gives its companions the same mode.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // From here on WriteLane does the waiting, without blocking the process.
  database.exec('PRAGMA busy_timeout = 0');
  return connectionOf(database);
}

/** Opens a file that {@link openNodeSqlite} has open for reading: each query sees what is committed by then. */
export function openNodeSqliteReader(path: string): SqliteConnection {
  return connectionOf(new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
}

/** Whether a statement failed because another process writes. */
export function isSqliteBusy(error: unknown): boolean {
  // The lowest byte is the error; what is above tells more of it.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
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
    // Kysely binds what the typed schema lets through: strings, numbers and null.
    query: ({ sql, parameters }) => prepared(sql)(parameters as SQLInputValue[]),
    close: () => database.close(),
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
