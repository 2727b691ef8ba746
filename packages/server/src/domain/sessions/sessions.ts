import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { revokeClientAccess } from '../oauth/revoke-client-access.js';
import type { User } from '../users/users.js';

/** Lifetime of a session at the service, in seconds. */
export const USER_SESSION_LIFETIME_SECONDS = 14 * 24 * 3600;

/** Session as its user's list shows it. */
export interface ListedSession {
  createdAt: number;
  expiresAt: number;
  /** True if it is the session of the request. */
  isCurrent: boolean;
}

/** Starts a session and returns its id. The database contains only a hash of the id. */
export async function startSession(db: Database, userId: string, now: number): Promise<string> {
  const id = createOpaqueSecret();
  const expiresAt = now + USER_SESSION_LIFETIME_SECONDS * 1000;
  await db
    .insertInto('user_sessions')
    .values({ id_hash: id.hash, user_id: userId, created_at: now, expires_at: expiresAt })
    .execute();
  return id.text;
}

/** Returns the user of a session that has not expired. */
export async function findSessionUser(
  db: Database,
  sessionId: string,
  now: number,
): Promise<User | undefined> {
  return await db
    .selectFrom('user_sessions')
    .innerJoin('users', 'users.id', 'user_sessions.user_id')
    .select(['users.id', 'users.email', 'users.name'])
    .where('user_sessions.id_hash', '=', hashSecret(sessionId))
    .where('user_sessions.expires_at', '>', now)
    .executeTakeFirst();
}

export async function endSession(db: Database, sessionId: string): Promise<void> {
  await db.deleteFrom('user_sessions').where('id_hash', '=', hashSecret(sessionId)).execute();
}

/** Lists the newest sessions of a user that have not expired, newest first. `sessionId` is the session of the request. */
export async function listSessions(
  db: Database,
  { userId, sessionId, limit }: { userId: string; sessionId: string | undefined; limit: number },
  now: number,
): Promise<ListedSession[]> {
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
}

/**
 * Ends every session of a user except one. With `apps`, the same transaction also revokes the codes and tokens of all
 * clients. Consents stay.
 */
export async function endAllSessions(
  db: Database,
  { userId, except, apps }: { userId: string; except: string | undefined; apps: boolean },
  now: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await transaction
      .deleteFrom('user_sessions')
      .where('user_id', '=', userId)
      .where('id_hash', '!=', except === undefined ? '' : hashSecret(except))
      .execute();
    if (apps) await revokeClientAccess(transaction, { userId }, now);
  });
}
