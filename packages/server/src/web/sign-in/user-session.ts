import type { Request, Response } from 'express';
import {
  endAllSessions,
  endSession,
  findSessionUser,
  type ListedSession,
  listSessions,
  startSession,
  USER_SESSION_LIFETIME_SECONDS,
} from '../../domain/sessions/sessions.js';
import type { User } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';

interface UserSessionNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

const SESSION_COOKIE: PageCookie = {
  name: 'latchkey_service_session',
  lifetimeSeconds: USER_SESSION_LIFETIME_SECONDS,
};

/** The person who is signed in at the service in this browser. */
export async function findSignedInUser(needs: UserSessionNeeds, request: Request): Promise<User | undefined> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  if (sessionId === undefined) return undefined;
  return await findSessionUser(needs.db, sessionId, needs.clock.now());
}

/** Signs a person in under a new session id, and ends the session that the browser came with. */
export async function startUserSession(
  needs: UserSessionNeeds,
  { request, response }: { request: Request; response: Response },
  userId: string,
): Promise<void> {
  const { db } = needs;
  const previous = readCookie(needs, request, SESSION_COOKIE);
  const sessionId = await startSession(db, userId, needs.clock.now());
  if (previous !== undefined) await endSession(db, previous);
  cookieWriter(needs, SESSION_COOKIE)(response, sessionId);
}

/** Signs the browser out: the session is gone on the server too. */
export async function endUserSession(
  needs: UserSessionNeeds,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  if (sessionId !== undefined) await endSession(needs.db, sessionId);
  cookieWriter(needs, SESSION_COOKIE)(response, undefined);
}

/** The newest sessions of a person that have not ended, newest first, and which of them is this browser's. */
export async function listUserSessions(
  needs: UserSessionNeeds,
  request: Request,
  { userId, limit }: { userId: string; limit: number },
): Promise<ListedSession[]> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  return await listSessions(needs.db, { userId, sessionId, limit }, needs.clock.now());
}

/**
 * Ends a person's sessions, in one transaction with the tokens of every app when those are to end as well: all of them,
 * or all but this browser's.
 */
export async function endUserSessions(
  needs: UserSessionNeeds,
  { request, response }: { request: Request; response: Response },
  { userId, which, apps }: { userId: string; which: 'others' | 'all'; apps: boolean },
): Promise<void> {
  const { db, clock } = needs;
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  await endAllSessions(db, { userId, except: which === 'others' ? sessionId : undefined, apps }, clock.now());
  if (which === 'all') cookieWriter(needs, SESSION_COOKIE)(response, undefined);
}
