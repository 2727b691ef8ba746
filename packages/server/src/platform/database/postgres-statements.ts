import type pg from 'pg';
import type { PostgresPool, PostgresPoolClient } from './kysely/kysely.js';
import { isLostConnection, LostConnectionError } from './lost-connection.js';
import type { WaitingLine } from './semaphore.js';

/** Kysely's queries come from a fixed set of call sites; the bound is for those with lists of varying length. */
const MAX_STATEMENTS = 500;

/**
 * A pool whose connections let PostgreSQL parse and plan each statement once: it then takes a quarter of the time.
 * Statements without parameters (begin, commit) are sent as they are.
 *
 * @param line of as many places as the pool has connections: the pool itself would count a wait that gets on like one
 *   for a server that is not there.
 */
export function preparingPool(pool: pg.Pool, line: WaitingLine): PostgresPool {
  const numbers = new Map<string, number>();
  const numberOf = (sql: string) => {
    const known = numbers.get(sql);
    if (known !== undefined || numbers.size >= MAX_STATEMENTS) return known;
    numbers.set(sql, numbers.size);
    return numbers.get(sql);
  };
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const losses = new WeakMap<pg.PoolClient, Error>();
  // The pool listens for errors of idle connections only. A connection that breaks while it is in use emits `error` too,
  // and without a listener that would end the process. The query that runs on it, or the next one, rejects.
  pool.on('connect', (client) => {
    client.on('error', (error) => void losses.set(client, error));
  });
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      await line.enter();
      const client = await connected(pool, line);
      const known = clients.get(client);
      if (known !== undefined) return known;
      const preparing = preparingClient(client, { numberOf, line, lossOf: () => losses.get(client) });
      clients.set(client, preparing);
      return preparing;
    },
  };
}

async function connected(pool: pg.Pool, line: WaitingLine): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    line.leave();
    throw error;
  }
}

interface PreparingOptions {
  numberOf(sql: string): number | undefined;
  line: WaitingLine;
  /** Returns the error that broke the connection, if one did. */
  lossOf(): Error | undefined;
}

function preparingClient(
  client: pg.PoolClient,
  { numberOf, line, lossOf }: PreparingOptions,
): PostgresPoolClient {
  let isInTransaction = false;
  /** The server owes an answer: whatever is asked after that would wait for it too. */
  let isSilent = false;
  /** Error of a statement that ended the connection. It can reject before the connection itself emits `error`. */
  let statementLoss: unknown;
  /** Statements of an older generation were planned for tables that a migration has changed since. */
  let generation = 0;
  const run = (text: string, values: readonly unknown[]) => {
    if (isSilent) throw new Error(SILENCE);
    const loss = statementLoss ?? lossOf();
    if (loss !== undefined) throw new LostConnectionError(loss);
    const number = values.length === 0 ? undefined : numberOf(text);
    const name = number === undefined ? undefined : `${generation}-${number}`;
    return client.query({ text, values: [...values], ...(name !== undefined && { name }) });
  };
  const query = async (text: string, values: readonly unknown[]) => {
    if (/^(?:begin|start transaction)\b/.test(text)) isInTransaction = true;
    if (/^(?:commit|rollback)$/.test(text)) isInTransaction = false;
    try {
      return await run(text, values);
    } catch (error) {
      if (isSilence(error)) isSilent = true;
      if (isLostConnection(error)) statementLoss ??= error;
      if (!isStalePlan(error)) throw error;
      generation += 1;
      // A transaction is over with its first error, and is run again as a whole.
      if (isInTransaction) throw error;
      return await run(text, values);
    }
  };
  return {
    // Kysely reads rows, row count and command, which is what pg gives; it is given no cursors.
    query: query as unknown as PostgresPoolClient['query'],
    release(destroy) {
      // Any of these removes the connection from the pool.
      client.release(isSilent || statementLoss !== undefined || lossOf() !== undefined || destroy);
      line.leave();
    },
  };
}

/** What pg says when the server has not answered within `query_timeout`. */
const SILENCE = 'Query read timeout';

/** Whether a server was asked and did not answer in time: nobody knows whether it did what it was asked. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === SILENCE;
}

/** Whether a statement returns other columns by now than when it was prepared: `select *` of a migrated table. */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof Error &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery' &&
    'code' in error &&
    error.code === '0A000'
  );
}
