import type { CompiledQuery } from './kysely.js';

/** Runs a compiled select directly on a connection, without Kysely's connection handling, plugins and logs. */
export type DirectRead = (query: CompiledQuery) => readonly never[] | Promise<readonly never[]>;

/** Direct reads by database. Transactions have none, because they must read their own writes. */
const directReads = new WeakMap<object, DirectRead>();

/**
 * Enables direct reads for the prepared selects of a database. SQLite runs such a select in a few microseconds, and Kysely
 * adds several times as much.
 */
export function enableDirectReads(db: object, read: DirectRead): void {
  directReads.set(db, read);
}

/** Returns the direct read for a query; `undefined` if the database has none, or the query is not a select. */
export function directReadOf(db: object, query: CompiledQuery): DirectRead | undefined {
  const read = directReads.get(db);
  return read !== undefined && isRead(query) ? read : undefined;
}

/** True if the query is a select, which changes nothing. */
export function isRead({ sql }: Pick<CompiledQuery, 'sql'>): boolean {
  return sql.startsWith('select ');
}
