import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import { type RawBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { isOneOf, textList } from '../../platform/database/row-list.js';
import type { Retention, RetentionPart } from './retention.js';

/** Maximum number of rows that a statement of the purge reads or deletes, rows of other tables included. */
export const PURGE_BATCH_SIZE = 100;

const EVERY = sql`1 = 1`;
const NONE = sql`1 = 0`;

/** Row whose retention is over. */
export interface EndedRow {
  row_key: string;
  ended_at: number;
  /** 1 if the rule's exception applies. */
  is_kept: 0 | 1;
}

/** Reads rows whose retention is over, oldest first, after a position. */
export async function readBatch(
  db: Database,
  { table, key, endsAt, only, unless }: Retention,
  { before, after }: { before: number; after: EndedRow | undefined },
): Promise<readonly EndedRow[]> {
  const [keyColumn, endColumn] = [sql.ref(`${table}.${key}`), sql.ref(`${table}.${endsAt}`)];
  const position =
    after === undefined ? EVERY : sql`(${endColumn}, ${keyColumn}) > (${after.ended_at}, ${after.row_key})`;
  const { rows } = await sql<EndedRow>`
    select ${keyColumn} as row_key, ${endColumn} as ended_at, case when ${unless ?? NONE} then 1 else 0 end as is_kept
    from ${sql.table(table)}
    where ${endColumn} <= ${before} and ${only ?? EVERY} and ${position}
    order by ${endColumn}, ${keyColumn} limit ${sql.lit(PURGE_BATCH_SIZE)}`.execute(db);
  return rows;
}

/** Deletes the rows of a batch that are still what they were when it was read. Returns their number. */
export async function deleteBatch(
  db: Database,
  { table, key, endsAt, only, unless }: Retention,
  { keys, before }: { keys: readonly string[]; before: number },
): Promise<number> {
  const condition = sql`${sql.ref(`${table}.${endsAt}`)} <= ${before} and ${only ?? EVERY} and not (${unless ?? NONE})`;
  return await deleteRows(db, { table, key, keys, condition });
}

/**
 * Deletes the parts of rows, before the rows themselves. The rows would take all of their parts with them in one statement.
 *
 * @param options.parents keys of the rows.
 * @param options.signal stops between two statements.
 * @param options.rest waits after a full batch.
 */
export async function deleteParts(
  db: Database,
  part: RetentionPart,
  options: { parents: readonly string[]; signal: AbortSignal; rest: () => Promise<void> },
): Promise<void> {
  const { table, key, parent } = part;
  if (options.parents.length === 0) return;
  const keyColumn = sql.ref(`${table}.${key}`);
  const parents = textList(db, options.parents);
  const condition = sql`not (${part.unless ?? NONE})`;
  while (!options.signal.aborted) {
    const { rows } = await sql<{ row_key: string }>`
      select ${keyColumn} as row_key from ${sql.table(table)}
      where ${isOneOf(db, `${table}.${parent}`, parents)} and ${condition}
      limit ${sql.lit(PURGE_BATCH_SIZE)}`.execute(db);
    const keys = rows.map(({ row_key }) => row_key);
    if (keys.length === 0) return;
    for (const inner of part.parts ?? []) await deleteParts(db, inner, { ...options, parents: keys });
    if (options.signal.aborted) return;
    const deleted = await deleteRows(db, { table, key, keys, condition });
    // Another process is deleting the others.
    if (deleted === 0 || keys.length < PURGE_BATCH_SIZE) return;
    await options.rest();
  }
}

async function deleteRows(
  db: Database,
  {
    table,
    key,
    keys,
    condition,
  }: { table: string; key: string; keys: readonly string[]; condition: RawBuilder<unknown> },
): Promise<number> {
  const keyColumn = sql.ref(`${table}.${key}`);
  const skipLocked = hasRowLocks(db) ? sql`for update of ${sql.table(table)} skip locked` : sql``;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${keyColumn} in (
      select ${keyColumn} from ${sql.table(table)}
      where ${isOneOf(db, `${table}.${key}`, textList(db, keys))} and ${condition} ${skipLocked})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
