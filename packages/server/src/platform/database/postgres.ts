import pg from 'pg';
import type { Logger } from '../logging/logger.js';
import type { PostgresLocation } from './database-url.js';
import type { DirectRead } from './direct-read.js';
import { PostgresDialect } from './kysely/kysely.js';
import { preparingPool } from './postgres-statements.js';
import { WaitingLine } from './semaphore.js';

/** Nothing that the service asks takes a tenth of this; what does is stopped before it stops everybody else. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * The server stops a statement by itself. One that is gone without a word, with its machine or the network, does not:
 * without this the operating system would wait for it for a quarter of an hour.
 */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;
/** A connection that was left inside a transaction holds locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 30_000;
/** Longer than this nobody waits for a connection, however fast those who came before are served. */
const LONGEST_WAIT_MS = 30_000;

const INT8 = pg.types.builtins.INT8;

/** Times, sizes and counts are int8, which pg hands out as text; each of them fits a JavaScript integer. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)),
};

/** A PostgreSQL database: what Kysely takes, and the short way for what only reads. */
export interface OpenPostgres {
  dialect: PostgresDialect;
  read: DirectRead;
}

/**
 * Opens a PostgreSQL database: a pool that connects when first asked, and survives a lost connection.
 *
 * @param purpose `migrations` gets one connection, and as long as it takes.
 */
export function openPostgres(
  { url, connectionLimit, connectTimeoutMs }: PostgresLocation,
  { logger, purpose }: { logger: Logger; purpose: 'requests' | 'migrations' },
): OpenPostgres {
  const isMigrating = purpose === 'migrations';
  const pool = new pg.Pool({
    connectionString: url.href,
    application_name: 'latchkey',
    max: isMigrating ? 1 : connectionLimit,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: isMigrating ? 0 : STATEMENT_TIMEOUT_MS,
    query_timeout: isMigrating ? 0 : SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: isMigrating ? 0 : IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types,
  });
  // Without a listener, a connection that is lost while nobody uses it would end the process.
  pool.on('error', ({ message: reason }) => {
    if (!pool.ending) logger.warn({ reason }, 'an idle database connection was lost');
  });
  const line = new WaitingLine({
    places: pool.options.max,
    patienceMs: connectTimeoutMs,
    longestMs: Math.max(connectTimeoutMs, LONGEST_WAIT_MS),
  });
  const preparing = preparingPool(pool, line);
  return {
    dialect: new PostgresDialect({ pool: preparing }),
    async read({ sql, parameters }) {
      const client = await preparing.connect();
      try {
        return (await client.query<never>(sql, parameters)).rows;
      } finally {
        client.release();
      }
    },
  };
}
