import { Socket } from 'node:net';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../logging/logger.js';
import { batchReads, type Engine, type WaitingRead } from '../kysely/engine.js';
import { APPLICATION_NAME } from '../schema/schema-status.js';
import { type PreparingPool, preparingPool } from './postgres-statements.js';
import { Semaphore } from './semaphore.js';

/** PostgreSQL answers a batch in order, so a slow read delays the rest. More reads use several connections. */
const BATCH_MAX_READS = 8;

/** Half of a read's processor time is spent on system calls. A batch needs one such call, and one connection. */
function sendReads(pool: PreparingPool, reads: readonly WaitingRead[]): void {
  for (let start = 0; start < reads.length; start += BATCH_MAX_READS) {
    void sendBatch(pool, reads.slice(start, start + BATCH_MAX_READS));
  }
}

/** Settles each read with its own result. Without a connection, all of them reject. */
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

export interface PostgresLocation {
  engine: 'postgres';
  url: URL;
  /** Maximum number of connections per process (parameter `connection_limit`). */
  connectionLimit: number;
  /** Requests fail if no connection becomes free for this long (parameter `connect_timeout`, in seconds). */
  connectTimeoutMs: number;
}

/** Maximum time of a statement, in milliseconds: ten times what the service's slowest statement takes. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** For a network or a server that fails silently. The operating system would wait for about 15 minutes. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;
/** Maximum idle time inside a transaction, in milliseconds. Such a connection holds locks that block other requests. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 30_000;
/** How long to wait for a connection while other requests get theirs, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** One holds the migration lock, the other one migrates. */
const MIGRATING_CONNECTIONS = 2;

const INT8 = pg.types.builtins.INT8;

/** pg returns int8 as a string. Times, sizes and counts are int8 and fit a JavaScript integer. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)),
};

/** The pool connects on the first query and replaces lost connections. `migrations` gets two without timeouts. */
export function openPostgres(
  { url, connectionLimit, connectTimeoutMs }: PostgresLocation,
  { logger, purpose }: { logger: Logger; purpose: 'requests' | 'migrations' },
): Engine {
  const isMigrating = purpose === 'migrations';
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
    connectionString: url.href,
    application_name: APPLICATION_NAME,
    max: isMigrating ? MIGRATING_CONNECTIONS : connectionLimit,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: isMigrating ? 0 : STATEMENT_TIMEOUT_MS,
    query_timeout: isMigrating ? 0 : QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: isMigrating ? 0 : IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    // Lets a batch of reads share a connection. Each read is still a separate transaction.
    pipeline: true,
    types,
  });
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', ({ message: reason }) => {
    if (!pool.ending) logger.warn({ reason }, 'An idle database connection was lost');
  });
  const connections = new Semaphore({
    permits: pool.options.max,
    stallTimeoutMs: connectTimeoutMs,
    maxWaitMs: Math.max(connectTimeoutMs, MAX_WAIT_MS),
  });
  const preparing = preparingPool(pool, connections);
  return {
    dialect: new PostgresDialect({ pool: preparing }),
    read: batchReads((reads) => sendReads(preparing, reads)),
    abort() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
