import type { Database } from '../../platform/database/open-database.js';
import { hasRows } from '../../platform/database/rows.js';
import { hashSecret } from '../../platform/secrets.js';
import { auditedWrite } from '../audit/audit.js';

export interface User {
  /** The `sub` that every client sees. */
  id: string;
  email: string | null;
  name: string | null;
}

export interface NewUser extends User {
  messengerUserId: number | null;
}

const selectUsers = (db: Database) => db.selectFrom('users').select(['id', 'email', 'name']);

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return await selectUsers(db).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
}

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  return await selectUsers(db).where('email', '=', email).executeTakeFirst();
}

export async function renameUser(db: Database, id: string, name: string | null): Promise<void> {
  const details = { fields: ['name'] };
  await auditedWrite(db, { action: 'user.change', subjectId: id, details }, (transaction) =>
    transaction.updateTable('users').set({ name }).where('id', '=', id),
  );
}

/** With `isGuest`, the language may be somebody else's, and only counts for a user who has none. */
export async function rememberLanguage(
  db: Database,
  { userId, language, isGuest = false }: { userId: string; language: string; isGuest?: boolean },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ language })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('language', 'is', null), ...(isGuest ? [] : [eb('language', '!=', language)])]))
    .execute();
}

/** Lists the newest users, newest first. A claim is listed with an address by which a community knows it. */
export async function listUsers(db: Database, limit: number): Promise<User[]> {
  return await db
    .selectFrom('users')
    .select(['id', 'name'])
    .select(({ fn, selectFrom }) => {
      const links = selectFrom('community_emails as link').whereRef('link.user_id', '=', 'users.id');
      return fn.coalesce('users.email', links.select('link.email').limit(1)).as('email');
    })
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('users.email')
    .limit(limit)
    .execute();
}

export async function listMessengerUsers(db: Database, limit: number) {
  return await selectUsers(db)
    .select((eb) => eb.ref('messenger_user_id').$notNull().as('messengerUserId'))
    .where('messenger_user_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('messenger_user_id')
    .limit(limit)
    .execute();
}

/**
 * Returns the id of the row that keeps a deleted user's payments: a hash of the user's random id, which it doesn't
 * reveal. `deletion` counts earlier deletions of the same id, which only restored rows have again.
 */
export function deletedUserIdOf(userId: string, deletion = 0): string {
  const hash = hashSecret(`deleted user.${userId}.${deletion}`);
  // Version 8 is for custom UUIDs (RFC 9562 section 5.8).
  const hex = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export async function wasUserDeleted(db: Database, userId: string): Promise<boolean> {
  return await hasRows(
    db.selectFrom('users').where('id', '=', deletedUserIdOf(userId)).where('deleted_at', 'is not', null),
  );
}

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
