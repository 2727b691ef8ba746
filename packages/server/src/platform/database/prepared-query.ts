import { directReadOf } from './direct-read.js';
import type { Compilable, CompiledQuery } from './kysely/kysely.js';
import type { Database } from './open-database.js';

type Value = string | number | null;

/** A query that is built and compiled once for each engine, and then run with changing values. */
export interface PreparedQuery<Given, Row> {
  /** Every row that it returns. */
  all(db: Database, given: Given): Promise<readonly Row[]>;
  /** The first row that it returns, if any. */
  first(db: Database, given: Given): Promise<Row | undefined>;
}

/**
 * Prepares a query for paths on which building and compiling it takes longer than running it.
 *
 * @param build makes the query. It runs once: of `given` it may only put whole properties where a value belongs, never
 *   look at them or compute with them.
 * @throws Error from the query's first run, when `build` does more than that.
 */
export function prepareQuery<Given extends Record<keyof Given, Value>, Row>(
  build: (db: Database, given: Given) => Compilable<Row>,
): PreparedQuery<Given, Row> {
  const binders = new Map<unknown, Binder<Given, Row>>();
  const bind = (db: Database, given: Given) => {
    // One adapter's class stands for one engine.
    const engine = db.getExecutor().adapter.constructor;
    let binder = binders.get(engine);
    if (binder === undefined) {
      binder = binderOf(build(db, placeholders as Given).compile());
      binders.set(engine, binder);
    }
    return binder(given);
  };
  const rowsOf = async (db: Database, given: Given): Promise<readonly Row[]> => {
    const query = bind(db, given);
    const read = directReadOf(db, query);
    return read === undefined ? (await db.executeQuery(query)).rows : read(query);
  };
  return {
    all: rowsOf,
    first: async (db, given) => (await rowsOf(db, given))[0],
  };
}

type Binder<Given, Row> = (given: Given) => CompiledQuery<Row>;

function binderOf<Given extends Record<keyof Given, Value>, Row>(
  compiled: CompiledQuery<Row>,
): Binder<Given, Row> {
  const { sql, query, queryId, parameters: slots } = compiled;
  return (given) => ({
    sql,
    query,
    queryId,
    parameters: slots.map((slot) => (slot instanceof Placeholder ? given[slot.name as keyof Given] : slot)),
  });
}

/** Stands for a value while the query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`A prepared query computes with "${this.name}": compute before, and give it the result.`);
  }
}

const placeholders: unknown = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });
