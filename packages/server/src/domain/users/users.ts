import { randomUUID } from 'node:crypto';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema.js';

/** A user of the service. */
export interface User {
  /** The `sub` that every client sees. */
  id: string;
  email: string | null;
  name: string | null;
}

/** A user to be stored. */
interface NewUser extends User {
  messengerUserId: number | null;
}

function asUser(row: Selectable<Schema['users']> | undefined): User | undefined {
  return row && { id: row.id, email: row.email, name: row.name };
}
const selectUsers = (db: Database) => db.selectFrom('users').selectAll();

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return asUser(await selectUsers(db).where('id', '=', id).executeTakeFirst());
}

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  return asUser(await selectUsers(db).where('email', '=', email).executeTakeFirst());
}

/** The user with this address, created when there was none. */
export async function findOrCreateUser(db: Database, email: string, now: number): Promise<User> {
  await db
    .insertInto('users')
    .values({ id: randomUUID(), email, name: null, messenger_user_id: null, created_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const { id, name } = await selectUsers(db).where('email', '=', email).executeTakeFirstOrThrow();
  return { id, email, name };
}

/** Whether the user was stored; false when id, address or messenger account belong to somebody already. */
export async function insertUser(
  db: Database,
  { id, email, name, messengerUserId }: NewUser,
  now: number,
): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({ id, email, name, messenger_user_id: messengerUserId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Gives a user another name; null takes it away. */
export async function renameUser(db: Database, id: string, name: string | null): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', id).execute();
}

/** The first users ever created, oldest first. */
export async function listUsers(db: Database, limit: number): Promise<User[]> {
  const rows = await selectUsers(db).orderBy('created_at').orderBy('email').limit(limit).execute();
  return rows.map(({ id, email, name }) => ({ id, email, name }));
}

/** The first users with a messenger account, oldest first. */
export async function listMessengerUsers(
  db: Database,
  limit: number,
): Promise<(User & { messengerUserId: number })[]> {
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
