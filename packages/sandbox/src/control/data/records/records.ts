import { formatTimestamp } from '@latchkey/contract/constants';
import { containsText, type Database, dropState, membershipState } from '@latchkey/server/extension';
import { type DataRecord, OWNER_FIELDS, type OwnerField, type RecordKind } from './record-kinds.js';
import { RECORD_TABLES, type RecordTable } from './record-tables.js';

export interface RecordQuery extends Readonly<Partial<Record<OwnerField, string>>> {
  /**
   * Maximum number of records.
   *
   * @default 100
   */
  readonly limit?: number;
  /** The `next` of the previous page. */
  readonly after?: string;
  /** Text that a name, an address or an id contains. */
  readonly text?: string;
}

/** Page of records, oldest first. */
export interface RecordPage {
  readonly records: readonly DataRecord[];
  /** Start of the next page; null on the last one. */
  readonly next: string | null;
}

/** Row of any table. */
export type Row = Record<string, string | number | null>;

/** Default number of records of a page. */
const PAGE_SIZE = 100;

/** Lists one page of records of one kind. The list continues after a record, also if others were added or removed. */
export async function listRecords(
  { db, now }: { db: Database; now: number },
  kind: RecordKind,
  { limit = PAGE_SIZE, after, text, ...owners }: RecordQuery,
): Promise<RecordPage> {
  const table = RECORD_TABLES[kind];
  const [first, last] = table.order;
  const position = after === undefined ? undefined : positionOf(after);
  const rows = await limitedTo(selectRows(db, table), table, owners)
    .$if(text !== undefined && text !== '', (query) =>
      query.where(containsText(table.searched, text ?? '') as never),
    )
    .$if(position !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple(first as 'created_at', last as 'id'),
          '>',
          eb.tuple((position?.[0] ?? 0) as number, position?.[1] ?? ''),
        ),
      ),
    )
    .orderBy(first as 'created_at')
    .orderBy(last as 'id')
    .limit(limit + 1)
    .execute();
  const page = (rows as unknown as Row[]).slice(0, limit);
  const end = page.at(-1);
  const hasMore = rows.length > limit && end !== undefined;
  return {
    records: page.map((row) => asRecord(kind, row, now)),
    next: hasMore ? `${end[first]}~${end[last]}` : null,
  };
}

/** Returns the row of a record; `undefined` if there is none. */
export async function findRow(db: Database, kind: RecordKind, id: string): Promise<Row | undefined> {
  const table = RECORD_TABLES[kind];
  const parts = id.split('~');
  if (parts.length !== table.id.length) return undefined;
  let query = selectRows(db, table);
  table.id.forEach((column, index) => {
    query = query.where(column as 'id', '=', parts[index] ?? '');
  });
  return (await query.executeTakeFirst()) as unknown as Row | undefined;
}

/** Counts the records of one kind that belong to another record. */
export async function countRecords(
  db: Database,
  kind: RecordKind,
  owners: Partial<Record<OwnerField, string>> = {},
): Promise<number> {
  const table = RECORD_TABLES[kind];
  const { count } = await limitedTo(db.selectFrom(table.table as 'users'), table, owners)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the id by which a record of this kind is found. */
function recordId(kind: RecordKind, row: Row): string {
  return RECORD_TABLES[kind].id.map((column) => row[column]).join('~');
}

/** Returns a record with the field names of the API, and the state of what has one. */
export function asRecord(kind: RecordKind, row: Row, now: number): DataRecord {
  const record = Object.fromEntries(
    Object.entries(row).map(([column, value]) => [camelCase(column), shown(column, value)]),
  );
  return { id: recordId(kind, row), ...record, ...stateOf(kind, row, now) };
}

// Kysely uses only the names of table and columns. Their types are those of one table for all.
function selectRows(db: Database, { table, columns }: RecordTable) {
  return db.selectFrom(table as 'users').select(columns as 'id'[]);
}

function limitedTo<Query extends { where(column: 'id', operator: '=', value: string): Query }>(
  query: Query,
  { owners }: RecordTable,
  values: Partial<Record<OwnerField, string>>,
): Query {
  let limited = query;
  for (const field of OWNER_FIELDS) {
    const [column, value] = [owners[field], values[field]];
    if (column !== undefined && value !== undefined) limited = limited.where(column as 'id', '=', value);
  }
  return limited;
}

/** Times are numbers, and ids are texts. */
function positionOf(after: string): [number | string, string] {
  const [first = '', last = ''] = after.split('~');
  return [/^-?\d{1,16}$/.test(first) ? Number(first) : first, last];
}

function stateOf(kind: RecordKind, row: Row, now: number): { state?: string } {
  if (kind === 'memberships') {
    const { valid_from, valid_until } = row as { valid_from: number; valid_until: number | null };
    return { state: membershipState({ validFrom: valid_from, validUntil: valid_until }, now) };
  }
  if (kind !== 'drops') return {};
  const { starts_at, ends_at } = row as { starts_at: number; ends_at: number | null };
  return { state: dropState({ startsAt: starts_at, endsAt: ends_at }, now) };
}

const LISTS = new Set(['redirect_uris', 'widget_origins', 'scopes', 'permissions', 'benefits']);
const FLAGS = new Set(['is_active', 'renews']);

function shown(column: string, value: string | number | null): unknown {
  if (typeof value === 'number' && FLAGS.has(column)) return value === 1;
  if (typeof value === 'number' && /(?:_at|_from|_until|_since)$/.test(column)) return formatTimestamp(value);
  return typeof value === 'string' && LISTS.has(column) ? JSON.parse(value) : value;
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
