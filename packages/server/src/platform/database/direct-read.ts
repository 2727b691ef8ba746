import type { CompiledQuery } from './kysely/kysely.js';

/** Runs a compiled select without what Kysely does for connections, plugins and logs. */
export type DirectRead = (query: CompiledQuery) => readonly never[] | Promise<readonly never[]>;

/** A transaction is a database of its own and never in here: what it reads must be what it wrote. */
const directReads = new WeakMap<object, DirectRead>();

/**
 * Lets prepared selects of a database take the short way: running one takes SQLite a few microseconds, and Kysely's
 * own way to it several times that.
 */
export function readDirectly(db: object, read: DirectRead): void {
  directReads.set(db, read);
}

/** The short way for a query, where there is one. */
export function directReadOf(db: object, query: CompiledQuery): DirectRead | undefined {
  const read = directReads.get(db);
  return read !== undefined && isRead(query) ? read : undefined;
}

/** A select of SQLite's changes nothing; whatever else it is takes the way of writes. */
export function isRead({ sql }: CompiledQuery): boolean {
  return sql.startsWith('select ');
}
