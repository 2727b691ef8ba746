import { isError } from '@latchkey/contract/constants';
import type { CompiledQuery, Dialect } from 'kysely';

/** Runs a compiled select directly on a connection, without Kysely's connection handling, plugins and logs. */
export type DirectRead = (query: CompiledQuery) => readonly never[] | Promise<readonly never[]>;

export interface MemoryContent {
  save(): Uint8Array;
  load(content: Uint8Array): void;
}

/** What an engine offers in addition to Kysely's dialect. */
export interface Engine {
  readonly dialect: Dialect;
  /** SQLite runs a prepared select in a few microseconds, and Kysely would add several times as much. */
  readonly read: DirectRead | undefined;
  /** `undefined` for a file or a server, and before Node 24. */
  readonly content?: MemoryContent | undefined;
  /** Closes all connections at once. SQLite has no statements that wait for an unresponsive server. */
  abort?(): void;
}

/** Engines by database. Transactions have none: they must read their own writes. */
const engines = new WeakMap<object, Engine>();

export function setEngine(db: object, engine: Engine): void {
  engines.set(db, engine);
}

/** Returns the direct read for a query; `undefined` if the database has none, or the query isn't a select. */
export function directReadOf(db: object, query: CompiledQuery): DirectRead | undefined {
  const read = engines.get(db)?.read;
  return read !== undefined && isRead(query) ? read : undefined;
}

/** Closes all connections of a database at once. Statements that wait for an unresponsive server then reject. */
export function abortStatements(db: object): void {
  engines.get(db)?.abort?.();
}

/** True if the query is a select, and so changes nothing. */
export function isRead({ sql }: Pick<CompiledQuery, 'sql'>): boolean {
  return sql.startsWith('select ');
}

export interface WaitingRead {
  readonly query: CompiledQuery;
  resolve(rows: readonly never[]): void;
  reject(error: unknown): void;
}

/** Each read sees the latest commits: the batch begins after the last one was requested. An error is its read's own. */
export function batchReads(runAll: (reads: readonly WaitingRead[]) => void): DirectRead {
  let waiting: WaitingRead[] = [];
  const run = () => {
    const reads = waiting;
    waiting = [];
    runAll(reads);
  };
  return (query) =>
    new Promise((resolve, reject) => {
      waiting.push({ query, resolve, reject });
      // Requests that have already arrived are read before the callback runs, so their reads join the batch.
      if (waiting.length === 1) setImmediate(run);
    });
}

/** Returns SQLite's primary error code, or the state of PostgreSQL's error; `undefined` for any other error. */
export function codeOf(error: unknown): number | string | undefined {
  if (!isError(error)) return undefined;
  // The lowest byte is the primary error code. The other bytes are its extension.
  if ('errcode' in error) return Number(error.errcode) & 0xff;
  return 'code' in error ? String(error.code) : undefined;
}
