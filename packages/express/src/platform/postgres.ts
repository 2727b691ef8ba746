/** A `Pool` of the package `pg`, or any object that runs one statement and returns its rows. */
export interface PostgresPool {
  query(statement: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Table name that needs no quoting, optionally with a schema. */
export const TABLE_NAME = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;
export const TABLE_NAME_ADVICE =
  'must consist of lower-case letters, digits and underscores, optionally with one schema before it.';
/** Error code `undefined_table` (PostgreSQL, appendix A). */
export const UNDEFINED_TABLE = '42P01';

/**
 * Error codes of `create table if not exists` while another process creates the same table: unique_violation,
 * duplicate_table, or duplicate_object for the table's row type (PostgreSQL, appendix A).
 */
const CREATED_CONCURRENTLY: ReadonlySet<unknown> = new Set(['23505', '42P07', '42710']);

/** Runs `create table if not exists`, and ignores the errors of a concurrent creation by another process. */
export async function createTable(pool: PostgresPool, statement: string): Promise<void> {
  try {
    await pool.query(statement);
  } catch (error) {
    if (!CREATED_CONCURRENTLY.has(errorCodeOf(error))) throw error;
  }
}

/** The SQLSTATE of a PostgreSQL error, if there is one. */
export function errorCodeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}
