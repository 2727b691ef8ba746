import { hasRowLocks } from './kysely/row-locks.js';
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from './kysely.js';
import type { Database } from './open-database.js';

/** A row with its names in camel case: `owner_id` is `ownerId`. */
export type CamelCased<Row> = { [Name in keyof Row as CamelName<Name>]: Row[Name] };

type CamelName<Name> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<CamelName<Rest>>}`
  : Name;

const camelNames = new Map<string, string>();

export function camelCased<Row extends object>(row: Row): CamelCased<Row> {
  const entries = Object.entries(row).map(([name, value]) => [camelNameOf(name), value]);
  return Object.fromEntries(entries) as CamelCased<Row>;
}

export function camelNameOf(name: string): string {
  let known = camelNames.get(name);
  if (known === undefined) {
    known = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    camelNames.set(name, known);
  }
  return known;
}

export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>) {
  const row = await query.select(sql<number>`count(*)`.as('rows')).executeTakeFirstOrThrow();
  return Number((row as { rows: number }).rows);
}

export async function hasRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>) {
  const row = await query.select(sql`1`.as('found')).limit(1).executeTakeFirst();
  return row !== undefined;
}

type Value = string | number | null;

type ColumnTypes<Row> = { readonly [Name in keyof Row]: 'text' | 'bigint' };

/** Rows as a table expression with one parameter: the SQL doesn't depend on their number, so it's prepared once. */
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

/** Returns a subquery of strings with one parameter, for `in`. */
export function textList(db: Database, texts: readonly string[]): RawBuilder<string> {
  const rows = texts.map((text) => ({ text }));
  return sql`(select text from ${rowList(db, { text: 'text' }, rows)} as list)`;
}

/**
 * Condition: the column is one of a few keys (a subquery in parentheses). Given an array, PostgreSQL finds the rows by
 * their key; it would join a subquery in any order, guessing its size.
 */
export function isOneOf(db: Database, column: string, keys: Expression<unknown>): Expression<SqlBool> {
  const key = sql.ref(column);
  return hasRowLocks(db) ? sql<SqlBool>`${key} = any(array${keys})` : sql<SqlBool>`${key} in ${keys}`;
}

/** Limits a query to the rows after the one that has the values `after` in the columns `by`, which identify it. */
export function nextRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { by, direction = 'asc', limit, after }: Order & { after: readonly Value[] | undefined },
): SelectQueryBuilder<DB, TB, Row> {
  const columns = by.map((name) => sql.ref(name));
  const isFurther = direction === 'asc' ? sql`>` : sql`<`;
  const further =
    after && query.where(sql<SqlBool>`(${sql.join(columns)}) ${isFurther} (${sql.join(after)})`);
  return columns
    .reduce((ordered, column) => ordered.orderBy(column, direction), further ?? query)
    .limit(limit);
}

interface Order {
  readonly by: readonly string[];
  /** @default 'asc' */
  readonly direction?: 'asc' | 'desc';
  readonly limit: number;
}

/** Reads the rows of a query in batches. Makes the query for each batch, since it can depend on the time. */
export async function* batchesOf<DB, TB extends keyof DB, Row>(
  queryOf: () => SelectQueryBuilder<DB, TB, Row>,
  order: Order,
): AsyncGenerator<Row[]> {
  let after: readonly Value[] | undefined;
  let isFull = true;
  while (isFull) {
    const position = order.by.map((column, place) => sql.ref<Value>(column).as(`position_${place}`));
    const rows: unknown[] = await nextRows(queryOf().select(position), { ...order, after }).execute();
    yield rows as Row[];
    const last = rows.at(-1) as Record<string, Value> | undefined;
    after = last && order.by.map((_column, place) => last[`position_${place}`] ?? null);
    isFull = rows.length === order.limit;
  }
}

export const PAGE_SIZE = 50;

export interface ListPage<Row> {
  rows: Row[];
  /** Start of the next page, for its URL; `undefined` on the last page. */
  next: string | undefined;
}

/** The last row of a page. The next page starts after it, even if rows were added meanwhile. */
export interface Position {
  /** Milliseconds since the epoch. */
  at: number;
  id: string;
}

/** Parses the start of a page from its URL. `undefined` means the first page. */
export function readPosition(text: string | null): Position | undefined {
  const [, at = '', id = ''] = /^(-?\d{1,15})~([\w-]{1,64})$/.exec(text ?? '') ?? [];
  return id === '' ? undefined : { at: Number(at), id };
}

/** Reads one page, ordered by the columns of a time and an id. `shape` converts its rows. */
export async function readPage<DB, TB extends keyof DB, Row, Shaped>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: { by: readonly [time: string, id: string]; direction?: 'asc' | 'desc'; after: Position | undefined },
  shape: (row: Row) => Shaped,
): Promise<ListPage<Shaped>> {
  const [at, id] = [sql.ref<number>(order.by[0]), sql.ref<string>(order.by[1])];
  const after = order.after && [order.after.at, order.after.id];
  const positioned = query.select([at.as('position_at'), id.as('position_id')]);
  const rows: readonly unknown[] = await nextRows(positioned, {
    ...{ ...order, after, limit: PAGE_SIZE + 1 },
  }).execute();
  const page = asPage(
    rows as readonly (Row & Positioned)[],
    (row) => `${row.position_at}~${row.position_id}`,
  );
  const shaped = page.rows.map(({ position_at: _at, position_id: _id, ...row }) => shape(row as Row));
  return { rows: shaped, next: page.next };
}

interface Positioned {
  position_at: number;
  position_id: string;
}

/** Creates a page from up to `PAGE_SIZE + 1` rows. The extra row shows that another page follows. */
export function asPage<Row>(found: readonly Row[], positionOf: (row: Row) => string): ListPage<Row> {
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, next: found.length > PAGE_SIZE && last !== undefined ? positionOf(last) : undefined };
}

/** Returns the condition that one of the columns contains the string. Case doesn't matter for the letters A to Z. */
export function containsText(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const conditions = columns.map(
    (column) => sql`lower(cast(${sql.ref(column)} as text)) like ${pattern} escape '\\'`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
