import type { Schema } from '../../migrations/schema.js';
import { type Expression, type SqlBool, sql } from './kysely.js';
import type { Database } from './open-database.js';
import { isOneOf } from './rows.js';

/** A table with the columns of shared work: a row waits for its next attempt, and one worker at a time has its lease. */
export type LeasedTable = {
  [Table in keyof Schema]: Schema[Table] extends { lease_id: string | null } ? Table : never;
}[keyof Schema];

/** A worker's lease. No other worker handles the leased rows until it ends. */
export interface Lease {
  id: string;
  until: number;
}

/** A literal instead of a parameter: otherwise the partial indexes of pending rows wouldn't apply. */
export const PENDING = sql.lit('pending' as const);

/** Condition: the row is pending, its next attempt is due, and no worker has a lease. */
export function isDue(table: LeasedTable, now: number): Expression<SqlBool> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const leasedUntil = column('leased_until');
  return sql<SqlBool>`(${column('status')} = ${PENDING} and ${column('next_attempt_at')} <= ${now}
    and (${leasedUntil} is null or ${leasedUntil} <= ${now}))`;
}

/** True if a row of the table is due. This query is cheap, and usually there is none. */
export async function hasDueRow(db: Database, table: LeasedTable, now: number): Promise<boolean> {
  const any = await db.selectFrom(table).select('id').where(isDue(table, now)).limit(1).executeTakeFirst();
  return any !== undefined;
}

/** Leases those `candidates`, a subquery of ids, that are still due and that no other process is leasing right now. */
export async function leaseRows(
  db: Database,
  table: LeasedTable,
  { candidates, lease, now }: { candidates: Expression<unknown>; lease: Lease; now: number },
): Promise<string[]> {
  const rows = await db
    .with('due', (query) =>
      query
        .selectFrom(table)
        .select('id')
        .where(isOneOf(db, `${table}.id`, candidates))
        // Another process may have leased a candidate. Written as a `case`, the condition doesn't make the database use
        // the index of due rows, which can be many.
        .where(sql<SqlBool>`case when ${isDue(table, now)} then 1 end = 1`)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable(table)
    .set({ lease_id: lease.id, leased_until: lease.until })
    .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('due.id'))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
