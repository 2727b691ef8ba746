import type { DirectRead } from '../kysely/direct-read.js';
import type { CompiledQuery } from '../kysely/kysely.js';
import type { PreparingPool } from './postgres-statements.js';

/**
 * Maximum number of reads in a batch. PostgreSQL answers them one after another, so a slow read delays those behind it. More
 * reads than this use several connections at once.
 */
const BATCH_MAX_READS = 8;

interface WaitingRead {
  readonly query: CompiledQuery;
  resolve(rows: readonly never[]): void;
  reject(error: unknown): void;
}

/**
 * Returns a direct read that sends the reads of one turn of the event loop together. Half of a read's processor time is spent
 * on the system calls that write to the connection and wake PostgreSQL. A batch needs one such call, and one connection.
 *
 * Each read of a batch is a transaction of its own: it sees the latest commits, and its error affects no other read.
 */
export function batchReads(pool: PreparingPool): DirectRead {
  let waiting: WaitingRead[] = [];
  const sendAll = () => {
    const reads = waiting;
    waiting = [];
    for (let start = 0; start < reads.length; start += BATCH_MAX_READS) {
      void sendBatch(pool, reads.slice(start, start + BATCH_MAX_READS));
    }
  };
  return (query) =>
    new Promise((resolve, reject) => {
      waiting.push({ query, resolve, reject });
      // Requests that have already arrived are read before the callback runs. Their reads join the batch.
      if (waiting.length === 1) setImmediate(sendAll);
    });
}

/** Settles the reads with their own results. Without a connection, all of them reject. */
async function sendBatch(pool: PreparingPool, reads: readonly WaitingRead[]): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    for (const { reject } of reads) reject(error);
  });
  if (client === undefined) return;
  const running: Promise<void>[] = [];
  client.inOneWrite(() => {
    for (const { query, resolve, reject } of reads) {
      running.push(
        client.query<never>(query.sql, query.parameters).then(({ rows }) => resolve(rows), reject),
      );
    }
  });
  await Promise.all(running);
  client.release();
}
