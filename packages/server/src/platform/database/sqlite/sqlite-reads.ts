import type { DirectRead } from '../kysely/direct-read.js';
import type { CompiledQuery } from '../kysely/kysely.js';
import type { SqliteConnection } from './node-sqlite.js';

interface WaitingRead {
  readonly query: CompiledQuery;
  resolve(rows: readonly never[]): void;
  reject(error: unknown): void;
}

const BEGIN = { sql: 'begin', parameters: [] };
const COMMIT = { sql: 'commit', parameters: [] };

/**
 * Returns a direct read that runs the reads of one turn of the event loop in one read transaction. A short select spends most
 * of its time on the system calls that lock and unlock the file. A batch needs them once.
 *
 * The transaction begins after the last read of the batch was requested, so each read sees the latest commits. The error of a
 * read affects no other read.
 */
export function batchSqliteReads(reader: SqliteConnection): DirectRead {
  let waiting: WaitingRead[] = [];
  const runAll = () => {
    const reads = waiting;
    waiting = [];
    if (reads.length === 1) runEach(reader, reads);
    else runInTransaction(reader, reads);
  };
  return (query) =>
    new Promise((resolve, reject) => {
      waiting.push({ query, resolve, reject });
      // Requests that have already arrived are read before the callback runs. Their reads join the batch.
      if (waiting.length === 1) setImmediate(runAll);
    });
}

function runInTransaction(reader: SqliteConnection, reads: readonly WaitingRead[]): void {
  try {
    reader.query(BEGIN);
  } catch (error) {
    for (const { reject } of reads) reject(error);
    return;
  }
  runEach(reader, reads);
  try {
    reader.query(COMMIT);
  } catch {
    // After some disk errors SQLite has already ended the transaction. The read that met the error was rejected with it.
  }
}

function runEach(reader: SqliteConnection, reads: readonly WaitingRead[]): void {
  for (const { query, resolve, reject } of reads) {
    try {
      resolve(reader.query(query).rows);
    } catch (error) {
      reject(error);
    }
  }
}
