import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { endClientAccess } from '../oauth/revoke-client-access.js';
import type { User } from '../users/users.js';

/** How long a person stays signed in at the service, from the sign-in on. */
export const USER_SESSION_LIFETIME_SECONDS = 14 * 24 * 3600;

/** A session as its user's list shows it. */
export interface ListedSession {
  createdAt: number;
  expiresAt: number;
  /** Whether it is the one that asks. */
  isCurrent: boolean;
}

/** Queries about the sessions of people signed in at the service itself. */
export interface SessionStore {
  /** Starts a session and gives its id, which only the browser keeps. */
  start(userId: string, now: number): Promise<string>;
  /** The user of a session that has not ended. */
  findUser(sessionId: string, now: number): Promise<User | undefined>;
  end(sessionId: string): Promise<void>;
  /** The newest sessions of a user that have not ended, newest first. `sessionId` is the one that asks. */
  list(
    who: { userId: string; sessionId: string | undefined; limit: number },
    now: number,
  ): Promise<ListedSession[]>;
  /**
   * Ends every session of a user except one; with `apps`, in the same transaction every code and token that any client
   * has for them. What they have allowed stays allowed.
   */
  endAll(which: { userId: string; except: string | undefined; apps: boolean }, now: number): Promise<void>;
}

export function createSessionStore(db: Database): SessionStore {
  return {
    async start(userId, now) {
      const id = createOpaqueSecret();
      const expiresAt = now + USER_SESSION_LIFETIME_SECONDS * 1000;
      await db
        .insertInto('user_sessions')
        .values({ id_hash: id.hash, user_id: userId, created_at: now, expires_at: expiresAt })
        .execute();
      return id.text;
    },
    async findUser(sessionId, now) {
      return await db
        .selectFrom('user_sessions')
        .innerJoin('users', 'users.id', 'user_sessions.user_id')
        .select(['users.id', 'users.email', 'users.name'])
        .where('user_sessions.id_hash', '=', hashSecret(sessionId))
        .where('user_sessions.expires_at', '>', now)
        .executeTakeFirst();
    },
    async end(sessionId) {
      await db.deleteFrom('user_sessions').where('id_hash', '=', hashSecret(sessionId)).execute();
    },
    async list({ userId, sessionId, limit }, now) {
      const rows = await db
        .selectFrom('user_sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id_hash')
        .limit(limit)
        .execute();
      const current = sessionId === undefined ? undefined : hashSecret(sessionId);
      return rows.map((row) => ({
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        isCurrent: row.id_hash === current,
      }));
    },
    async endAll({ userId, except, apps }, now) {
      await inTransaction(db, async (transaction) => {
        await transaction
          .deleteFrom('user_sessions')
          .where('user_id', '=', userId)
          .where('id_hash', '!=', except === undefined ? '' : hashSecret(except))
          .execute();
        if (apps) await endClientAccess(transaction, { userId }, now);
      });
    },
  };
}
