import { randomUUID } from 'node:crypto';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import type { Schema } from '../../schema/schema.js';
import { audited, recordAudit } from '../audit/audit.js';

/** User of the service. */
export interface User {
  /** The `sub` that every client sees. */
  id: string;
  email: string | null;
  name: string | null;
}

/** User to store. */
interface NewUser extends User {
  messengerUserId: number | null;
}

function asUser(row: Selectable<Schema['users']> | undefined): User | undefined {
  return row && { id: row.id, email: row.email, name: row.name };
}
const selectUsers = (db: Database) => db.selectFrom('users').selectAll();

/** Returns a user. The row that stands for a deleted account is no user. */
export async function findUser(db: Database, id: string): Promise<User | undefined> {
  const row = await selectUsers(db).where('id', '=', id).executeTakeFirst();
  return row?.deleted_at === null ? asUser(row) : undefined;
}

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  return asUser(await selectUsers(db).where('email', '=', email).executeTakeFirst());
}

/**
 * Returns the user of an email address whose holder has just proved it. Creates the user if there is none. Links of the
 * address to other users, which partners made in their communities, no longer count.
 */
export async function proveEmail(db: Database, email: string, now: number): Promise<User> {
  const id = randomUUID();
  const work = async (transaction: Database) => {
    const { verified_at, ...user } = await transaction
      .insertInto('users')
      .values({
        id,
        email,
        email_verified_at: now,
        name: null,
        messenger_user_id: null,
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet(({ fn, ref }) => ({
          email_verified_at: fn.coalesce(ref('users.email_verified_at'), ref('excluded.email_verified_at')),
        })),
      )
      .returning(['id', 'email', 'name', 'email_verified_at as verified_at'])
      .executeTakeFirstOrThrow();
    const details = { fields: ['emailVerifiedAt'] };
    if (user.id === id) await recordAudit(transaction, { action: 'user.create', subjectId: id });
    else if (verified_at === now)
      await recordAudit(transaction, { action: 'user.change', subjectId: user.id, details });
    return user;
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/** Stores a user for an email address that its holder has not proved, or without one. Returns the user's id. */
export async function insertUnprovenUser(transaction: Database, email: string | null, now: number) {
  const id = randomUUID();
  await transaction
    .insertInto('users')
    .values({ id, email, name: null, messenger_user_id: null, created_at: now })
    .execute();
  await recordAudit(transaction, { action: 'user.create', subjectId: id });
  return id;
}

/** Stores a user whose identifiers the operator vouches for. False if another user has the id, the email address or the messenger account. */
export async function insertUser(db: Database, { id, email, name, messengerUserId }: NewUser, now: number) {
  const inserted = await audited(db, { action: 'user.create', subjectId: id }, (transaction) =>
    transaction
      .insertInto('users')
      .values({
        id,
        email,
        email_verified_at: email === null ? null : now,
        name,
        messenger_user_id: messengerUserId,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst(),
  );
  return inserted !== undefined;
}

/** Sets a user's name; null removes it. */
export async function renameUser(db: Database, id: string, name: string | null): Promise<void> {
  const details = { fields: ['name'] };
  await audited(db, { action: 'user.change', subjectId: id, details }, (transaction) =>
    transaction.updateTable('users').set({ name }).where('id', '=', id).returning('id').executeTakeFirst(),
  );
}

/** Lists the newest users, newest first. */
export async function listUsers(db: Database, limit: number): Promise<User[]> {
  const rows = await selectUsers(db)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('email')
    .limit(limit)
    .execute();
  return rows.map(({ id, email, name }) => ({ id, email, name }));
}

/** Lists the oldest users with a messenger account, oldest first. */
export async function listMessengerUsers(db: Database, limit: number) {
  const rows = await selectUsers(db)
    .where('messenger_user_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('messenger_user_id')
    .limit(limit)
    .execute();
  return rows.flatMap(({ id, email, name, messenger_user_id }) =>
    messenger_user_id === null ? [] : [{ id, email, name, messengerUserId: messenger_user_id }],
  );
}

/**
 * Returns the id of the row that keeps the payments and the ended memberships of a deleted user. It is the hash of the user's random
 * id: the id of the user leads to the row, and the row does not reveal the id of the user.
 *
 * @param deletion number of earlier deletions of a user with the same id. Only restored rows have the id again.
 */
export function deletedUserIdOf(userId: string, deletion = 0): string {
  const hash = hashSecret(`deleted user.${userId}.${deletion}`);
  // Version 8 is for UUIDs of an application's own making (RFC 9562 5.8).
  const hex = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** True if a user with this id was deleted. */
export async function wasUserDeleted(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', deletedUserIdOf(userId))
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the row that stands for a deleted user, and returns its id. */
export async function insertDeletedUser(transaction: Database, userId: string, now: number): Promise<string> {
  for (let deletion = 0; ; deletion += 1) {
    const id = deletedUserIdOf(userId, deletion);
    const inserted = await transaction
      .insertInto('users')
      .values({ id, email: null, name: null, messenger_user_id: null, created_at: now, deleted_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted !== undefined) return id;
  }
}
