import type { Compilable, CompiledQuery } from 'kysely';
import { directReadOf } from './kysely/engine.js';
import { hasRowLocks } from './kysely/row-locks.js';
import type { Database } from './open-database.js';
import { asDeferredWrite } from './postgres/deferred-statements.js';

type Value = string | number | null;

/**
 * Prepares a query that runs often: building and compiling it takes longer than running it. `build` runs once per
 * engine, with placeholders in place of the values, which it may pass on but must not read or compute with.
 */
export function prepareQuery<Values extends Record<keyof Values, Value>, Row>(
  build: (db: Database, values: Values) => Compilable<Row>,
) {
  const bind = bindByEngine((db, values: Values) => build(db, values).compile());
  const rowsOf = async (db: Database, values: Values): Promise<readonly Row[]> => {
    const query = bind(db, values);
    const read = directReadOf(db, query);
    return read === undefined ? (await db.executeQuery(query)).rows : read(query);
  };
  return {
    all: rowsOf,
    first: async (db: Database, values: Values): Promise<Row | undefined> => (await rowsOf(db, values))[0],
  };
}

/** As {@link prepareQuery}, for a write that is deferred like {@link runDeferredWrite}. */
export function prepareDeferredWrite<Values extends Record<keyof Values, Value>>(
  build: (db: Database, values: Values) => Compilable,
) {
  const bind = bindByEngine((db, values: Values) => markDeferred(db, build(db, values).compile()));
  return {
    async run(db: Database, values: Values): Promise<void> {
      await db.executeQuery(bind(db, values));
    },
  };
}

/**
 * Runs a write when you don't need its result. In a transaction on PostgreSQL, it's sent together with the next
 * statement or the commit, which saves waiting for its response. If it fails, that statement or commit rejects with its
 * error. Elsewhere it runs at once.
 */
export async function runDeferredWrite(db: Database, write: Compilable): Promise<void> {
  await db.executeQuery(markDeferred(db, write.compile()));
}

function markDeferred<Row>(db: Database, write: CompiledQuery<Row>): CompiledQuery<Row> {
  // Only PostgreSQL locks rows.
  return hasRowLocks(db) ? { ...write, sql: asDeferredWrite(write.sql) } : write;
}

/** Returns some columns of a row. The placeholders of a prepared query can't be spread. */
export function pick<Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}

function bindByEngine<Values extends Record<keyof Values, Value>, Row>(
  compile: (db: Database, values: Values) => CompiledQuery<Row>,
): (db: Database, values: Values) => CompiledQuery<Row> {
  const byEngine = new Map<unknown, CompiledQuery<Row>>();
  return (db, values) => {
    // Each engine has its own adapter class.
    const engine = db.getExecutor().adapter.constructor;
    let compiled = byEngine.get(engine);
    if (compiled === undefined) {
      compiled = compile(db, placeholders as Values);
      byEngine.set(engine, compiled);
    }
    const { sql, query, queryId, parameters: slots } = compiled;
    const bound = (slot: unknown) => (slot instanceof Placeholder ? values[slot.name as keyof Values] : slot);
    return { sql, query, queryId, parameters: slots.map(bound) };
  };
}

/** Replaces a value while the query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(
      `A prepared query computes with "${this.name}". Compute the value first and pass the result.`,
    );
  }
}

const placeholders: unknown = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });
