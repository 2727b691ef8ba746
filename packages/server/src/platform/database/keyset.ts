import { type RawBuilder, type SqlBool, sql } from './kysely.js';

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
 * Creates a page from up to `PAGE_SIZE + 1` rows. The additional row shows that another page follows.
 *
 * @param shape converts the rows of the page. By default they stay as they are.
 */
export function asPage<Row>(found: readonly Row[], positionOf: (row: Row) => string): ListPage<Row>;
export function asPage<Row, Shaped>(
  found: readonly Row[],
  positionOf: (row: Row) => string,
  shape: (row: Row) => Shaped,
): ListPage<Shaped>;
export function asPage(
  found: readonly unknown[],
  positionOf: (row: unknown) => string,
  shape: (row: unknown) => unknown = (row) => row,
): ListPage<unknown> {
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  const hasMore = found.length > PAGE_SIZE && last !== undefined;
  return { rows: rows.map((row) => shape(row)), next: hasMore ? positionOf(last) : undefined };
}

/** Formats a position for {@link readPosition}. */
export function formatPosition({ at, id }: Position): string {
  return `${at}~${id}`;
}

/** Returns a condition: one of the columns contains the text. Case does not matter for the letters A to Z. */
export function containsText(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const conditions = columns.map(
    (column) => sql`lower(cast(${sql.ref(column)} as text)) like ${pattern} escape '\\'`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
