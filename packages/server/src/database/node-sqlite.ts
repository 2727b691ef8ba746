import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** How long a statement waits for another process that writes to the same file. */
const BUSY_TIMEOUT_MS = 5_000;

/** Kysely's queries come from a fixed set of call sites; the bound is for those with lists of varying length. */
const STATEMENT_CACHE_SIZE = 500;

/**
 * Makes Node's own SQLite fit Kysely's SqliteDialect. What a commit acknowledged survives a power cut
 * (`synchronous` FULL), readers do not wait for a writer (WAL), and foreign keys are enforced.
 *
 * @param path a file, or `:memory:`.
 */
export function openNodeSqlite(path: string): SqliteDatabase {
  // Addresses of people are in there: a new file is its owner's alone, and SQLite gives its companions the same mode.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear();
      const statement = adapt(database, sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

function adapt(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  // Kysely binds what the typed schema lets through: strings, numbers and null.
  const bound = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bound(parameters)),
    run: (parameters) => statement.run(...bound(parameters)),
    iterate: (parameters) => statement.iterate(...bound(parameters)),
  };
}
