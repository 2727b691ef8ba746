import { formatTimestamp } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { camelCased, containsText, countRows, nextRows } from '../../platform/database/rows.js';
import { mayProvision } from '../api-keys/api-keys.js';
import { findBotName } from '../communities/communities.js';
import { dropState } from '../drops/drop.resource.js';
import { OWNER_KINDS, type OwnerField } from '../fields/define-records.js';
import { columnOf, type DescribedField } from '../fields/define-resource.js';
import { membershipState } from '../memberships/membership-state.js';
import { invalidInput, notFound } from './operator-checks.js';
import { RECORD_KINDS, RECORDS, type RecordKind, recordKind } from './record-kinds.js';

/** Record without secrets. Times are ISO 8601. */
export type DataRecord = Readonly<Record<string, unknown>>;

/** Fields of a new record, or changes to a record. */
export type RecordInput = Readonly<Record<string, unknown>>;

export interface RecordQuery extends Readonly<Partial<Record<OwnerField, string | undefined>>> {
  /** Maximum number of records. @default 100 */
  readonly limit?: number | undefined;
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
  /** String that a name, an address or an id contains. */
  readonly text?: string | undefined;
}

export type Row = Record<string, string | number | null>;

type Kind = ReturnType<typeof recordKind>;

const PAGE_SIZE = 100;

/** Lists one page of records of one kind. The next page continues correctly even if records were added or removed. */
export async function listRecords(
  { db, clock }: Needs<'db' | 'clock'>,
  kind: RecordKind,
  { limit = PAGE_SIZE, after, text, ...owners }: RecordQuery,
) {
  const table = recordKind(kind);
  const [first, last] = table.order;
  const position = after === undefined ? undefined : positionOf(after, first);
  const found = limitedTo(selectRows(db, table), table, owners).$if(
    text !== undefined && text !== '',
    (query) => query.where(containsText(table.searched, text ?? '') as never),
  );
  const rows = await nextRows(found, { by: table.order, after: position, limit: limit + 1 }).execute();
  const page = (rows as unknown as Row[]).slice(0, limit);
  const end = page.at(-1);
  const hasMore = rows.length > limit && end !== undefined;
  const records = page.map((row) => asRecord(kind, row, clock.now()));
  return {
    records,
    labels: await labelsOf(db, records),
    /** Start of the next page; null on the last one. */
    next: hasMore ? `${end[first]}~${end[last]}` : null,
  };
}

/** @throws OperatorError `not_found` if there is no such record. */
export async function requireRow(db: Database, kind: RecordKind, id: string): Promise<Row> {
  const table = recordKind(kind);
  const parts = id.split('~');
  let query = selectRows(db, table);
  table.id.forEach((column, index) => {
    query = query.where(column as 'id', '=', parts[index] ?? '');
  });
  const row = parts.length === table.id.length ? await query.executeTakeFirst() : undefined;
  if (row === undefined) throw notFound(table.one, id);
  return row as unknown as Row;
}

/** Counts up to `max` records of one kind that belong to another record. */
export async function countRecords(
  db: Database,
  kind: RecordKind,
  owners: Partial<Record<OwnerField, string | undefined>> = {},
  max?: number,
): Promise<number> {
  const table = recordKind(kind);
  const records = limitedTo(rowsOf(db, table), table, owners).select(sql.lit(1).as('one'));
  return await countRows(
    db.selectFrom(records.$if(max !== undefined, (query) => query.limit(max ?? 0)).as('records')),
  );
}

export type FoundRecord = Awaited<ReturnType<typeof findRecord>>;

/** @throws OperatorError `not_found` if there is no such record. */
export async function findRecord({ db, clock }: Needs<'db' | 'clock'>, kind: RecordKind, id: string) {
  const row = await requireRow(db, kind, id);
  const record = { ...asRecord(kind, row, clock.now()), ...(await moreAbout(db, kind, id)) };
  return { record, labels: await labelsOf(db, [record]), related: await relatedTo(db, kind, id) };
}

/** Returns fields from other tables that a change to the record can set. */
async function moreAbout(db: Database, kind: RecordKind, id: string): Promise<DataRecord> {
  if (kind === 'users') return { mayProvision: await mayProvision(db, id) };
  if (kind !== 'communities') return {};
  return { messengerBot: (await findBotName(db, id)) ?? null };
}

function asRecord(kind: RecordKind, row: Row, now: number): DataRecord {
  const record = camelCased(
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, shown(column, value)])),
  );
  const id = recordKind(kind).id.map((column) => row[column]);
  return { id: id.join('~'), ...record, ...stateOf(kind, row, now) };
}

// Kysely uses only the names of table and columns, so one table's types work for all.
function selectRows(db: Database, kind: Kind) {
  return rowsOf(db, kind).select(kind.columns as 'id'[]);
}

/** A deleted account leaves a row that keeps its id from being used again. It isn't a user. */
function rowsOf(db: Database, { table }: Kind) {
  const rows = db.selectFrom(table as 'users');
  return table === 'users' ? rows.where('deleted_at', 'is', null) : rows;
}

function limitedTo<Query extends { where(column: 'id', operator: '=', value: string): Query }>(
  query: Query,
  { owners }: Kind,
  values: Partial<Record<OwnerField, string | undefined>>,
): Query {
  let limited = query;
  for (const field of owners) {
    const value = values[field];
    if (value !== undefined) limited = limited.where(columnOf(field) as 'id', '=', value);
  }
  return limited;
}

/** @throws OperatorError `invalid_input` if the start doesn't fit: times are numbers, and ids are strings. */
function positionOf(after: string, column: string): [number | string, string] {
  const [first = '', last = ''] = after.split('~');
  if (!TIMES.test(column)) return [first, last];
  if (/^-?\d{1,15}$/.test(first)) return [Number(first), last];
  throw invalidInput('after: Use the `next` of the page before.', { after: 'is not the `next` of a page' });
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

const columnsOf = (wanted: DescribedField['kind']) =>
  RECORD_KINDS.flatMap((kind) => recordKind(kind).fields)
    .filter(({ kind }) => kind === wanted)
    .map(({ column }) => column);
const [LISTS, FLAGS] = [new Set(columnsOf('list')), new Set(columnsOf('flag'))];

const TIMES = /_(?:at|from|until|since)$/;

function shown(column: string, value: string | number | null): unknown {
  if (typeof value === 'number' && FLAGS.has(column)) return value === 1;
  if (typeof value === 'number' && TIMES.test(column)) return formatTimestamp(value);
  return typeof value === 'string' && LISTS.has(column) ? JSON.parse(value) : value;
}

export type RecordLabels = Readonly<Record<string, string>>;

export interface RelatedRecords {
  readonly kind: RecordKind;
  /** Field that limits a list of the kind to these records. */
  readonly field: OwnerField;
  readonly count: number;
}

export const KIND_OF_FIELD: Readonly<Record<string, RecordKind>> = {
  ...OWNER_KINDS,
  ...{ callerId: 'users', invitedBy: 'users' },
};

async function labelsOf(db: Database, records: readonly DataRecord[]): Promise<RecordLabels> {
  const ids = new Map<RecordKind, Set<string>>();
  for (const record of records) {
    for (const [field, kind] of Object.entries(KIND_OF_FIELD)) {
      const id = record[field];
      if (typeof id === 'string') ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
    }
  }
  const labels: Record<string, string> = {};
  for (const [kind, found] of ids) Object.assign(labels, await namesOf(db, kind, [...found]));
  return labels;
}

async function relatedTo(db: Database, kind: RecordKind, id: string): Promise<RelatedRecords[]> {
  const related: RelatedRecords[] = [];
  for (const of of Object.keys(RECORDS) as RecordKind[]) {
    const { owners } = recordKind(of);
    const field = owners.find((owner) => OWNER_KINDS[owner] === kind);
    if (field !== undefined)
      related.push({ kind: of, field, count: await countRecords(db, of, { [field]: id }) });
  }
  return related;
}

async function namesOf(db: Database, kind: RecordKind, ids: string[]): Promise<RecordLabels> {
  if (kind === 'users') {
    const users = await db
      .selectFrom('users')
      .select(['id', 'email', 'name'])
      .where('id', 'in', ids)
      .execute();
    return Object.fromEntries(users.map(({ id, email, name }) => [id, email ?? name ?? id]));
  }
  const named = await db
    .selectFrom(recordKind(kind).table as 'communities')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return Object.fromEntries(named.map(({ id, name }) => [id, name]));
}
