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

/** Queries about users. E-mail addresses arrive trimmed and in lower case. */
export interface UserStore {
  find(id: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** The user with this address, created when there was none. */
  findOrCreate(email: string, now: number): Promise<User>;
  /** Whether the user was stored; false when id, address or messenger account belong to somebody already. */
  insert(user: NewUser, now: number): Promise<boolean>;
  /** Gives a user another name; null takes it away. */
  rename(id: string, name: string | null): Promise<void>;
  /** The first users ever created, oldest first. */
  list(limit: number): Promise<User[]>;
  /** The first users with a messenger account, oldest first. */
  listMessengerAccounts(limit: number): Promise<(User & { messengerUserId: number })[]>;
}

export function createUserStore(db: Database): UserStore {
  const users = () => db.selectFrom('users').selectAll();
  return {
    async find(id) {
      return asUser(await users().where('id', '=', id).executeTakeFirst());
    },
    async findByEmail(email) {
      return asUser(await users().where('email', '=', email).executeTakeFirst());
    },
    async findOrCreate(email, now) {
      await db
        .insertInto('users')
        .values({ id: randomUUID(), email, name: null, messenger_user_id: null, created_at: now })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .execute();
      const { id, name } = await users().where('email', '=', email).executeTakeFirstOrThrow();
      return { id, email, name };
    },
    async insert({ id, email, name, messengerUserId }, now) {
      const inserted = await db
        .insertInto('users')
        .values({ id, email, name, messenger_user_id: messengerUserId, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },
    async rename(id, name) {
      await db.updateTable('users').set({ name }).where('id', '=', id).execute();
    },
    async list(limit) {
      const rows = await users().orderBy('created_at').orderBy('email').limit(limit).execute();
      return rows.map(({ id, email, name }) => ({ id, email, name }));
    },
    async listMessengerAccounts(limit) {
      const rows = await users()
        .where('messenger_user_id', 'is not', null)
        .orderBy('created_at')
        .orderBy('messenger_user_id')
        .limit(limit)
        .execute();
      return rows.flatMap(({ id, email, name, messenger_user_id }) =>
        messenger_user_id === null ? [] : [{ id, email, name, messengerUserId: messenger_user_id }],
      );
    },
  };
}

function asUser(row: Selectable<Schema['users']> | undefined): User | undefined {
  return row && { id: row.id, email: row.email, name: row.name };
}
