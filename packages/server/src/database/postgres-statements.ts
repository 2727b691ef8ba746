import type pg from 'pg';
import type { PostgresPool, PostgresPoolClient } from './kysely.js';

/** Kysely's queries come from a fixed set of call sites; the bound is for those with lists of varying length. */
const MAX_STATEMENTS = 500;

/**
 * A pool whose connections let PostgreSQL parse and plan each statement once: it then takes a quarter of the time.
 * Statements without parameters (begin, commit) are sent as they are.
 */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const numbers = new Map<string, number>();
  const numberOf = (sql: string) => {
    const known = numbers.get(sql);
    if (known !== undefined || numbers.size >= MAX_STATEMENTS) return known;
    numbers.set(sql, numbers.size);
    return numbers.get(sql);
  };
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client);
      if (known !== undefined) return known;
      const preparing = preparingClient(client, numberOf);
      clients.set(client, preparing);
      return preparing;
    },
  };
}

function preparingClient(
  client: pg.PoolClient,
  numberOf: (sql: string) => number | undefined,
): PostgresPoolClient {
  let isInTransaction = false;
  /** Statements of an older generation were planned for tables that a migration has changed since. */
  let generation = 0;
  const run = (text: string, values: readonly unknown[]) => {
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
    release: (destroy) => client.release(destroy),
  };
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
