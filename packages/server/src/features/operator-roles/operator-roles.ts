import type { Schema } from '../../migrations/schema.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import type { Database } from '../../platform/database/open-database.js';
import { type AuditEntry, auditedWrite } from '../audit/audit.js';

/** What a user may do in the operator area: a VIEWER can read, an ADMIN can also make changes. */
export type OperatorRole = Schema['operators']['role'];

export async function appointOperator(
  db: Database,
  { userId, role }: { userId: string; role: OperatorRole },
  now: number,
): Promise<boolean> {
  const entry: AuditEntry = { action: 'operator.appoint', subjectId: userId, details: { role } };
  return await auditedWrite(db, entry, (transaction) =>
    transaction
      .insertInto('operators')
      .values({ user_id: userId, role, created_at: now })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export async function changeOperatorRole(
  db: Database,
  { userId, role }: { userId: string; role: OperatorRole },
  now: number,
): Promise<void> {
  const entry: AuditEntry = { action: 'operator.change', subjectId: userId, details: { role } };
  await auditedWrite(db, entry, (transaction) =>
    transaction.updateTable('operators').set({ role, created_at: now }).where('user_id', '=', userId),
  );
}

export async function removeOperator(db: Database, userId: string): Promise<void> {
  await auditedWrite(db, { action: 'operator.remove', subjectId: userId }, (transaction) =>
    transaction.deleteFrom('operators').where('user_id', '=', userId),
  );
}

/**
 * Returns the ids of all operators with the role ADMIN.
 *
 * @param options.lock True to keep other transactions from changing them meanwhile.
 */
export async function findAdmins(db: Database, { lock = false } = {}): Promise<string[]> {
  const admins = await db
    .selectFrom('operators')
    .select('user_id')
    .where('role', '=', 'ADMIN')
    .orderBy('user_id')
    .$if(lock && hasRowLocks(db), (query) => query.forUpdate())
    .execute();
  return admins.map(({ user_id }) => user_id);
}

/** Returns when an operator was appointed, in milliseconds since the epoch; `undefined` for everyone else. */
export async function findAppointment(db: Database, userId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('operators')
    .select('created_at')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.created_at;
}
