import type { Database } from '../database/open-database.js';
import { createOpaqueSecret, hashSecret } from '../opaque-secret.js';
import type { User } from './user-store.js';

/** How long a person stays signed in at the service, from the sign-in on. */
export const USER_SESSION_LIFETIME_SECONDS = 14 * 24 * 3600;

/** Queries about the sessions of people signed in at the service itself. */
export interface SessionStore {
  /** Starts a session and gives its id, which only the browser keeps. */
  start(userId: string, now: number): Promise<string>;
  /** The user of a session that has not ended. */
  findUser(sessionId: string, now: number): Promise<User | undefined>;
  end(sessionId: string): Promise<void>;
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
  };
}
