import { hasRowLocks } from './kysely/row-locks.js';
import { type Expression, type RawBuilder, type SqlBool, sql } from './kysely.js';
import type { Database } from './open-database.js';

type Value = string | number | null;

/** Columns of a list of rows, with their types in SQL. */
type ColumnTypes<Row> = { readonly [Name in keyof Row]: 'text' | 'bigint' };

/**
 * Returns rows as a table expression with one parameter, for statements on many rows at once. The text of such a statement
 * does not depend on the number of rows, so it is prepared once.
 *
 * @param types types of the columns. Each row has all of them.
 */
export function rowList<Row extends Record<keyof Row, Value>>(
  db: Database,
  types: ColumnTypes<Row>,
  rows: readonly Row[],
): RawBuilder<Row> {
  const names = Object.keys(types) as (keyof Row & string)[];
  const json = JSON.stringify(rows);
  if (hasRowLocks(db)) {
    const columns = names.map((name) => sql`${sql.ref(name)} ${sql.raw(types[name])}`);
    return sql`(select * from json_to_recordset(${json}::json) as list(${sql.join(columns)}))`;
  }
  const columns = names.map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(columns)} from json_each(${json}))`;
}

/** Returns a subquery of texts with one parameter, for `in`. */
export function textList(db: Database, texts: readonly string[]): RawBuilder<string> {
  const rows = texts.map((text) => ({ text }));
  return sql`(select text from ${rowList(db, { text: 'text' }, rows)} as list)`;
}

/**
 * Returns the condition that a key is one of a few. PostgreSQL finds the rows of an array by their key. It would join a subquery
 * in any order, with a guess of its size.
 *
 * @param keys subquery in parentheses.
 */
export function isOneOf(db: Database, column: string, keys: Expression<unknown>): Expression<SqlBool> {
  const key = sql.ref(column);
  return hasRowLocks(db) ? sql<SqlBool>`${key} = any(array${keys})` : sql<SqlBool>`${key} in ${keys}`;
}
