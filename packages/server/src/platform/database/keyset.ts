import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from './kysely.js';

/** Rows per page of a list. */
export const PAGE_SIZE = 50;

/** Page of a list. */
export interface ListPage<Row> {
  rows: Row[];
  /** Start of the next page, for an address; `undefined` on the last page. */
  next: string | undefined;
}

/** Last row of a page. The next page starts after it, even if rows were added meanwhile. */
export interface Position {
  /** Milliseconds since the epoch. */
  at: number;
  id: string;
}

/** Parses the start of a page from an address. `undefined` means the first page. */
export function readPosition(text: string | null): Position | undefined {
  const [, at = '', id = ''] = /^(-?\d{1,15})~([\w-]{1,64})$/.exec(text ?? '') ?? [];
  return id === '' ? undefined : { at: Number(at), id };
}

/**
 * Reads one page of a query, in the order of a time and an id.
 *
 * @param order names of the two columns, and the last row of the page before.
 * @param shape converts the rows of the page.
 */
export async function readPage<DB, TB extends keyof DB, Row, Shaped>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: { by: readonly [time: string, id: string]; direction?: 'asc' | 'desc'; after: Position | undefined },
  shape: (row: Row) => Shaped,
): Promise<ListPage<Shaped>> {
  const { direction = 'asc', after } = order;
  const [at, id] = [sql.ref<number>(order.by[0]), sql.ref<string>(order.by[1])];
  const isFurther = direction === 'asc' ? sql`>` : sql`<`;
  const rest =
    after === undefined ? sql.lit(true) : sql`(${at}, ${id}) ${isFurther} (${after.at}, ${after.id})`;
  const rows: readonly unknown[] = await query
    .select([at.as('position_at'), id.as('position_id')])
    .where(rest.$castTo<SqlBool>())
    .orderBy(at, direction)
    .orderBy(id, direction)
    .limit(PAGE_SIZE + 1)
    .execute();
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

/** Creates a page from up to `PAGE_SIZE + 1` rows. The additional row shows that another page follows. */
export function asPage<Row>(found: readonly Row[], positionOf: (row: Row) => string): ListPage<Row> {
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, next: found.length > PAGE_SIZE && last !== undefined ? positionOf(last) : undefined };
}

/** Returns a condition: one of the columns contains the text. Case does not matter for the letters A to Z. */
export function containsText(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const conditions = columns.map(
    (column) => sql`lower(cast(${sql.ref(column)} as text)) like ${pattern} escape '\\'`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
