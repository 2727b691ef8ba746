/** How many rows a page of a list shows. */
export const PAGE_SIZE = 50;

/** One page of a list that can be long. */
export interface ListPage<Row> {
  rows: Row[];
  /** Where the next page begins, as it stands in an address; `undefined` on the last one. */
  next: string | undefined;
}

/** The last row of a page: lists that are newest first go on behind it, however much is written meanwhile. */
export interface Position {
  /** Milliseconds since the epoch. */
  at: number;
  id: string;
}

/** Reads where a page begins from an address; anything else is the first page. */
export function readPosition(text: string | null): Position | undefined {
  const [, at = '', id = ''] = /^(-?\d{1,15})~([0-9a-f-]{36})$/.exec(text ?? '') ?? [];
  return id === '' ? undefined : { at: Number(at), id };
}

/** Makes a page of what was read: one row more than it shows, so that it is known whether others follow. */
export function asPage<Row>(found: readonly Row[], positionOf: (row: Row) => string): ListPage<Row> {
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, next: found.length > PAGE_SIZE && last !== undefined ? positionOf(last) : undefined };
}

/** A position as {@link readPosition} reads it. */
export function formatPosition({ at, id }: Position): string {
  return `${at}~${id}`;
}
