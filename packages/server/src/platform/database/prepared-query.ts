import { directReadOf } from './direct-read.js';
import type { Compilable, CompiledQuery } from './kysely/kysely.js';
import type { Database } from './open-database.js';

type Value = string | number | null;

/** Query that is built and compiled once for each engine, and then run with different values. */
export interface PreparedQuery<Given, Row> {
  /** Runs the query and returns all rows. */
  all(db: Database, given: Given): Promise<readonly Row[]>;
  /** Runs the query and returns the first row; `undefined` if there is none. */
  first(db: Database, given: Given): Promise<Row | undefined>;
}

/**
 * Prepares a query that runs often, because building and compiling it takes longer than running it.
 *
 * @param build builds the query. It runs once per engine, with placeholders in place of the values. It may pass properties
 *   of `given` to the query as they are, but must not read them or compute with them.
 * @throws Error at the first run if `build` computes with a property.
 */
export function prepareQuery<Given extends Record<keyof Given, Value>, Row>(
  build: (db: Database, given: Given) => Compilable<Row>,
): PreparedQuery<Given, Row> {
  const binders = new Map<unknown, Binder<Given, Row>>();
  const bind = (db: Database, given: Given) => {
    // Each engine has its own adapter class.
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
