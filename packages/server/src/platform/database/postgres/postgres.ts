import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../../logging/logger.js';
import type { DirectRead } from '../kysely/direct-read.js';
import { PostgresDialect } from '../kysely/kysely.js';
import { APPLICATION_NAME } from '../schema/older-processes.js';
import { batchReads } from './postgres-reads.js';
import { preparingPool } from './postgres-statements.js';
import { Semaphore } from './semaphore.js';

/** PostgreSQL database with its connection limits. */
export interface PostgresLocation {
  engine: 'postgres';
  url: URL;
  /** Maximum number of connections per process (parameter `connection_limit`). */
  connectionLimit: number;
  /** Requests fail if no connection becomes free for this long (parameter `connect_timeout`, in seconds). */
  connectTimeoutMs: number;
}

/** Maximum time of a statement, in milliseconds. It is ten times as long as the slowest statement of the service takes. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * Maximum wait for the response to a statement, in milliseconds. It applies if the network or the server fails silently, so
 * that the statement timeout has no effect. The operating system would wait for about 15 minutes.
 */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;
/** Maximum idle time inside a transaction, in milliseconds. Such a connection holds locks that block other requests. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** Time after which the pool closes an idle connection, in milliseconds. */
const IDLE_CONNECTION_MS = 30_000;
/** Maximum wait for a connection while other requests get theirs, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** One holds the lock of migrations, the other one migrates. */
const MIGRATING_CONNECTIONS = 2;

const INT8 = pg.types.builtins.INT8;

/** pg returns int8 as text. Times, sizes and counts are int8 and fit a JavaScript integer. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)),
};

/** Open PostgreSQL database. */
export interface OpenPostgres {
  dialect: PostgresDialect;
  read: DirectRead;
  /** Closes all connections at once. */
  abort(): void;
}

/**
 * Opens a PostgreSQL database. The pool connects on the first query and replaces lost connections.
 *
 * @param purpose `migrations` gets two connections without time limits.
 */
export function openPostgres(
  { url, connectionLimit, connectTimeoutMs }: PostgresLocation,
  { logger, purpose }: { logger: Logger; purpose: 'requests' | 'migrations' },
): OpenPostgres {
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
    // Lets a batch of reads share a connection. Each read is still a transaction of its own.
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
    read: batchReads(preparing),
    abort() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
