import * as z from 'zod';
import type { Schema } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { phrase } from '../../platform/language/language.js';
import { type AuditEntry, auditedWrite } from '../audit/audit.js';
import { defineRecords } from '../fields/define-records.js';
import { idOf } from '../fields/fields.js';

/** What a user may do in the operator area: a VIEWER can read, an ADMIN can also make changes. */
export type OperatorRole = Schema['operators']['role'];

const OPERATOR_ROLES = ['VIEWER', 'ADMIN'] as const satisfies readonly OperatorRole[];

export const operatorRecords = defineRecords({
  one: 'operator',
  table: 'operators',
  columns: ['user_id', 'role', 'created_at'],
  order: ['created_at', 'user_id'],
  id: ['user_id'],
  searched: ['user_id', 'role'],
  owners: ['userId'],
  fields: {
    userId: idOf('User'),
    role: {
      schema: z.enum(OPERATOR_ROLES, phrase('Choose VIEWER or ADMIN.')),
      about: 'A VIEWER reads. An ADMIN also changes and ends records, and appoints operators.',
    },
  },
  create: 'Lets a user into the operator area. It only counts if two-step sign-in is on already.',
  change: 'Changes the role of an operator.',
  end: { summary: 'Removes an operator. The user’s account stays.', button: 'Remove operator' },
});

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

/** With `lock`, other transactions can't change the admins meanwhile. */
export async function findAdmins(db: Database, { lock = false } = {}): Promise<string[]> {
  const admins = await db
    .selectFrom('operators')
    .select('user_id')
    .where('role', '=', 'ADMIN')
    .orderBy('user_id')
    .$if(lock, (query) => query.forUpdate())
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
