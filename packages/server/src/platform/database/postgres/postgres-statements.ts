import { isError } from '@latchkey/contract/constants';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { codeOf } from '../kysely/engine.js';
import { deferStatements } from './deferred-statements.js';
import type { Semaphore } from './semaphore.js';

/** Lists of varying length would otherwise fill the server's memory. Queries beyond the limit run unprepared. */
const MAX_STATEMENTS = 500;

export interface PreparingPool extends PostgresPool {
  connect(): Promise<PreparingClient>;
}

export interface PreparingClient extends PostgresPoolClient {
  inOneWrite(start: () => void): void;
}

/**
 * PostgreSQL then parses and plans each statement once, which takes a quarter of the time. `connections` has a permit
 * for each connection: the pool's own timeout can't tell a moving queue from an unreachable server.
 */
export function preparingPool(pool: pg.Pool, connections: Semaphore): PreparingPool {
  const numbers = new Map<string, number>();
  const numberOf = (sql: string) => {
    const known = numbers.get(sql);
    if (known !== undefined || numbers.size >= MAX_STATEMENTS) return known;
    numbers.set(sql, numbers.size);
    return numbers.get(sql);
  };
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();
  const losses = new WeakMap<pg.PoolClient, Error>();
  // The pool listens only for errors of idle connections. A connection in use also emits `error` when it breaks, which
  // would end the process if nobody listened. The running query, or the next one, rejects.
  pool.on('connect', (client) => {
    client.on('error', (error) => void losses.set(client, error));
  });
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connected(pool, connections);
      const known = clients.get(client);
      if (known !== undefined) return known;
      const preparing = preparingClient(client, { numberOf, connections, lossOf: () => losses.get(client) });
      clients.set(client, preparing);
      return preparing;
    },
  };
}

/** Returns a connection from the pool. If the server accepts no more connections, waits for one that the pool already has. */
async function connected(pool: pg.Pool, connections: Semaphore): Promise<pg.PoolClient> {
  const since = performance.now();
  for (;;) {
    await connections.acquire(since);
    try {
      return await pool.connect();
    } catch (error) {
      if (isOutOfConnections(error) && connections.park(PARKED_MS)) continue;
      connections.release();
      throw error;
    }
  }
}

/** How long the pool waits before it tries to grow again after the server rejected a connection, in milliseconds. */
const PARKED_MS = 1_000;

/** True for PostgreSQL's error for too many connections to a server or a database, or of a role. */
function isOutOfConnections(error: unknown): boolean {
  return codeOf(error) === '53300';
}

interface PreparingOptions {
  /** Returns a statement's number, which is part of its name; `undefined` if it isn't prepared. */
  numberOf(sql: string): number | undefined;
  connections: Semaphore;
  /** Returns the error that broke the connection; `undefined` while the connection works. */
  lossOf(): Error | undefined;
}

function preparingClient(
  client: pg.PoolClient,
  { numberOf, connections, lossOf }: PreparingOptions,
): PreparingClient {
  let isInTransaction = false;
  /** True once a statement has timed out on the client. Later statements would wait for its response too. */
  let isUnresponsive = false;
  /** The error of a statement that ended the connection. It can reject before the connection emits `error`. */
  let statementLoss: unknown;
  /** Part of statement names. It changes when a migration invalidates the plans of prepared statements. */
  let generation = 0;
  const timeLimitMs = queryTimeoutOf(client);
  const run = (text: string, values: readonly unknown[], position = 0) => {
    if (isUnresponsive) throw new Error(QUERY_TIMEOUT);
    const loss = statementLoss ?? lossOf();
    if (loss !== undefined) throw new LostConnectionError(loss);
    const number = values.length === 0 ? undefined : numberOf(text);
    const name = number === undefined ? undefined : `${generation}-${number}`;
    return client.query({
      text,
      values: [...values],
      ...(name !== undefined && { name }),
      // pg measures from the write, so the timeout includes the statements before this one.
      ...(position > 0 && { query_timeout: timeLimitMs * (position + 1) }),
    });
  };
  const send = async (text: string, values: readonly unknown[], position?: number) => {
    if (/^(?:begin|start transaction)\b/.test(text)) isInTransaction = true;
    if (/^(?:commit|rollback)$/.test(text)) isInTransaction = false;
    const used = generation;
    // The commit of a deferred write starts before the write has failed.
    const startedInTransaction = isInTransaction;
    try {
      return await run(text, values, position);
    } catch (error) {
      if (isQueryTimeout(error)) isUnresponsive = true;
      if (isLostConnection(error)) statementLoss ??= error;
      if (!isStalePlan(error)) throw error;
      // Statements that were sent together fail together. Only the first one changes the names.
      if (generation === used) generation += 1;
      // An error ends the transaction. The caller repeats it as a whole.
      if (startedInTransaction) throw error;
      return await run(text, values);
    }
  };
  const inOneWrite = (start: () => void) => {
    const { stream } = client.connection;
    stream.cork();
    try {
      start();
    } finally {
      stream.uncork();
    }
  };
  return {
    // Kysely only reads the rows, row count and command of pg's result, and no query uses cursors.
    query: deferStatements({ send, inOneWrite }) as unknown as PostgresPoolClient['query'],
    inOneWrite,
    release(destroy) {
      // If any of these is true, the pool discards the connection.
      client.release(isUnresponsive || statementLoss !== undefined || lossOf() !== undefined || destroy);
      connections.release();
    },
  };
}

/** Returns how long to wait for the response to a statement, in milliseconds. 0 means no limit. pg's types leave it out. */
function queryTimeoutOf(client: object): number {
  const { connectionParameters } = client as { connectionParameters: { query_timeout: unknown } };
  return Number(connectionParameters.query_timeout);
}

/** Message of pg's error if the server doesn't respond within `query_timeout`. */
const QUERY_TIMEOUT = 'Query read timeout';

/** True if the server didn't respond in time. The statement may or may not have taken effect. */
export function isQueryTimeout(error: unknown): boolean {
  return isError(error) && error.message === QUERY_TIMEOUT;
}

/** True if a prepared statement returns other columns than before, such as `select *` after a migration. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && Object(error).routine === 'RevalidateCachedQuery';
}

/** Operating system errors after which a socket to the database can't be used. */
const SOCKET_ERRORS: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ETIMEDOUT',
]);

/**
 * PostgreSQL error codes that end the session: connection exceptions (class 08), and a server that shuts down, crashes
 * or starts, or a dropped database (57P01 to 57P05). Timeouts inside a transaction (25P03, 25P04) also close the
 * connection.
 */
const SESSION_ENDED = /^(?:08[0-9A-Z]{3}|57P0[1-5]|25P0[34])$/;

/** How the messages of pg's errors without a code start. */
const PG_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
];

/** The error of a statement on a connection that had already failed. `cause` is what ended the connection. */
export class LostConnectionError extends Error {
  override readonly name = 'LostConnectionError';

  constructor(cause: unknown) {
    super('The database connection was lost.', { cause });
  }
}

/** True if the error means that the connection is unusable and must not return to the pool. */
export function isLostConnection(error: unknown): boolean {
  if (!isError(error)) return false;
  if (error instanceof LostConnectionError) return true;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isLostConnection);
  const code = String(codeOf(error));
  if (SOCKET_ERRORS.has(code) || SESSION_ENDED.test(code)) return true;
  return PG_MESSAGES.some((message) => error.message.startsWith(message));
}
