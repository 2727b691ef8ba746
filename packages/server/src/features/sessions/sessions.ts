import { DAY_MS } from '@latchkey/contract/constants';
import type { Schema } from '../../migrations/schema.js';
import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { canChooseLanguage, currentLanguage } from '../../platform/language/language.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { auditedWrite, identifyActor, recordAudit } from '../audit/audit.js';
import { revokeClientAccess } from '../oauth/token-pairs.js';
import { rememberLanguage, type User } from '../users/users.js';

export const USER_SESSION_LIFETIME_SECONDS = 14 * 24 * 3600;

/** A session ends after this long without use, in milliseconds, counted from when it was last marked as used. */
const IDLE_LIFETIME_MS = 7 * 24 * 3600 * 1000;

/** Minimum time between two marks of a session's use, in milliseconds. Each mark is a write. */
const MARKED_USED_EVERY_MS = 5 * 60_000;

const LISTED_ID_LENGTH = 32;

export interface SessionPlace {
  /** Name of the browser and its operating system. Null if unknown. */
  browser: string | null;
  /** Network of the client, never its address. Null if unknown. */
  network: string | null;
}

export type ListedSession = Awaited<ReturnType<typeof listSessions>>[number];

export interface SignedInUser extends User {
  operatorRole: Schema['operators']['role'] | null;
}

/** Maximum number of accounts that can be signed in to one browser. One more signs out the least recently used. */
export const MAX_BROWSER_ACCOUNTS = 6;

export interface SessionStart extends SessionPlace {
  userId: string;
  /** Ids of the browser's sessions so far, most recently used first. Other users' sessions stay. */
  earlier: readonly string[];
}

/** Returns the ids of the browser's sessions, the new one first. From now on, mails have the language of the page. */
export async function startSession(
  transaction: Database,
  { userId, browser, network, earlier }: SessionStart,
  now: number,
): Promise<string[]> {
  const others = (await listBrowserAccounts(transaction, earlier, now)).filter((one) => one.id !== userId);
  const kept = others.slice(0, MAX_BROWSER_ACCOUNTS - 1).map(({ sessionId }) => sessionId);
  for (const sessionId of earlier) if (!kept.includes(sessionId)) await endSession(transaction, sessionId);
  identifyActor('user', userId);
  const { language } = currentLanguage();
  // A page in a single language says nothing about its visitor.
  if (canChooseLanguage()) await rememberLanguage(transaction, { userId, language });
  const id = createOpaqueSecret();
  await transaction
    .insertInto('user_sessions')
    .values({
      id_hash: id.hash,
      user_id: userId,
      created_at: now,
      expires_at: now + USER_SESSION_LIFETIME_SECONDS * 1000,
      browser,
      network,
      last_used_at: now,
    })
    .execute();
  await recordAudit(transaction, { action: 'session.start', subjectId: listedIdOf(id.hash) });
  return [id.text, ...kept];
}

export interface BrowserAccount extends User {
  sessionId: string;
}

/** Lists them in the order of the ids. Doesn't mark the sessions as used. */
export async function listBrowserAccounts(db: Database, sessionIds: readonly string[], now: number) {
  if (sessionIds.length === 0) return [];
  const rows = await openSessions(db, now)
    .innerJoin('users', 'users.id', 'user_sessions.user_id')
    .select(['user_sessions.id_hash', 'users.id', 'users.email', 'users.name'])
    .where('user_sessions.id_hash', 'in', sessionIds.map(hashSecret))
    .execute();
  return sessionIds.flatMap((sessionId) => {
    const row = rows.find(({ id_hash }) => id_hash === hashSecret(sessionId));
    return row === undefined ? [] : [{ sessionId, id: row.id, email: row.email, name: row.name }];
  });
}

/** Copies of the earlier id stop working. The time of the sign-in stays. `undefined`: the session isn't the user's. */
export async function renewSessionId(
  db: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<string | undefined> {
  const id = createOpaqueSecret();
  const renewed = await db
    .updateTable('user_sessions')
    .set({ id_hash: id.hash })
    .where('id_hash', '=', hashSecret(sessionId))
    .where('user_id', '=', userId)
    .returning('id_hash')
    .executeTakeFirst();
  return renewed && id.text;
}

/** Also stores the details of this use: a stolen cookie shows up in the list with the thief's browser and network. */
export async function useSession(
  db: Database,
  { sessionId, browser, network }: SessionPlace & { sessionId: string },
  now: number,
): Promise<SignedInUser | undefined> {
  const row = await openSessions(db, now)
    .innerJoin('users', 'users.id', 'user_sessions.user_id')
    .leftJoin('operators', 'operators.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.name', 'operators.role'])
    .select(['user_sessions.id_hash', 'user_sessions.last_used_at'])
    .select(['user_sessions.browser', 'user_sessions.network'])
    .where('user_sessions.id_hash', '=', hashSecret(sessionId))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, email, name, role: operatorRole } = row;
  const isElsewhere = row.browser !== browser || row.network !== network;
  const isMarked = row.last_used_at !== null && Math.abs(now - row.last_used_at) < MARKED_USED_EVERY_MS;
  if (isElsewhere || !isMarked) {
    await db
      .updateTable('user_sessions')
      .set({ browser, network, last_used_at: now })
      .where('id_hash', '=', row.id_hash)
      .execute();
  }
  return { id, email, name, operatorRole };
}

/** Returns when a session of the user that hasn't ended was started. Doesn't mark it as used. */
export async function findSignInTime(
  db: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: number,
): Promise<number | undefined> {
  const own = openSessions(db, now).select('created_at').where('user_id', '=', userId);
  const row = await own.where('id_hash', '=', hashSecret(sessionId)).executeTakeFirst();
  return row?.created_at;
}

/** Ends a session. Anyone who knows its id acts as its user. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  const hash = hashSecret(sessionId);
  const work = async (transaction: Database) => {
    const ended = await transaction
      .deleteFrom('user_sessions')
      .where('id_hash', '=', hash)
      .returning('user_id')
      .executeTakeFirst();
    if (ended === undefined) return;
    identifyActor('user', ended.user_id);
    await recordAudit(transaction, { action: 'session.end', subjectId: listedIdOf(hash) });
  };
  await inTransaction(db, work, { isolation: 'read committed' });
}

/** Ends one session of a user, by its id in the list. False if the user has no such session. */
export async function endListedSession(db: Database, { userId, id }: { userId: string; id: string }) {
  return await auditedWrite(db, { action: 'session.end', subjectId: id }, (transaction) =>
    transaction
      .deleteFrom('user_sessions')
      .where('user_id', '=', userId)
      .where(sql<string>`substr(id_hash, 1, ${sql.lit(LISTED_ID_LENGTH)})`, '=', id),
  );
}

/** Lists the newest sessions of a user that haven't ended, newest first. `sessionId` is the session of the request. */
export async function listSessions(
  db: Database,
  { userId, sessionId, limit }: { userId: string; sessionId: string | undefined; limit: number },
  now: number,
) {
  const rows = await openSessions(db, now)
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id_hash')
    .limit(limit)
    .execute();
  const current = sessionId === undefined ? undefined : hashSecret(sessionId);
  return rows.map(({ id_hash, browser, network, created_at: createdAt, last_used_at }) => ({
    /** Identifies the session among the user's sessions. It can't be used to sign in. */
    id: listedIdOf(id_hash),
    ...{ browser, network, createdAt },
    /** Accurate to a few minutes. */
    lastUsedAt: last_used_at ?? createdAt,
    isCurrent: id_hash === current,
  }));
}

/** Returns the start of a hash of a random secret. It reveals nothing about the secret. */
function listedIdOf(hash: string): string {
  return hash.slice(0, LISTED_ID_LENGTH);
}

function openSessions(db: Database, now: number) {
  const lastUse = sql<number>`coalesce(user_sessions.last_used_at, user_sessions.created_at)`;
  const current = db.selectFrom('user_sessions').where('user_sessions.expires_at', '>', now);
  return current.where(lastUse, '>', now - IDLE_LIFETIME_MS);
}

/**
 * With `apps`, the same transaction also revokes the codes and tokens of all clients. Consents stay. Browsers that
 * signed in lose their own allowance of codes; links in mails, which give one for a day, keep theirs.
 */
export async function endAllSessions(
  db: Database,
  which: {
    userId: string;
    except: string | undefined;
    apps: boolean;
    /** Hash of a browser that keeps its allowance of second factors. */
    provenHash?: string | undefined;
  },
  now: number,
): Promise<void> {
  const { userId, except, apps, provenHash = '' } = which;
  await inTransaction(db, async (transaction) => {
    await transaction
      .deleteFrom('user_sessions')
      .where('user_id', '=', userId)
      .where('id_hash', '!=', except === undefined ? '' : hashSecret(except))
      .execute();
    await transaction
      .deleteFrom('known_browsers')
      .where('email', '=', (eb) => eb.selectFrom('users').select('email').where('id', '=', userId))
      .where('expires_at', '>', now + DAY_MS)
      .where('secret_hash', '!=', provenHash)
      .execute();
    if (apps) await revokeClientAccess(transaction, { userId }, now);
    const details = { apps, exceptOne: except !== undefined };
    await recordAudit(transaction, { action: 'user.end-sessions', subjectId: userId, details });
  });
}

const RECENT_MS = 10 * 60_000;

export function isRecentSignIn(signedInAt: number, now: number): boolean {
  return now - signedInAt <= RECENT_MS;
}
