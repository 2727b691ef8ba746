import type { Request, Response } from 'express';
import type { Needs } from '../../app/services.js';
import { identifyActor } from '../../domain/audit/audit.js';
import { browserNameOf } from '../../domain/sessions/browser-name.js';
import {
  endAllSessions,
  endSession,
  findSignInTime,
  isSessionOf,
  type ListedSession,
  listSessions,
  type SessionPlace,
  type SessionStart,
  type SignedInUser,
  startSession,
  USER_SESSION_LIFETIME_SECONDS,
  useSession,
} from '../../domain/sessions/sessions.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { truncatedNetwork } from '../../platform/http/client-network.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';

const SESSION_COOKIE: PageCookie = {
  name: 'latchkey_service_session',
  lifetimeSeconds: USER_SESSION_LIFETIME_SECONDS,
};

type SessionServices = Needs<'baseUrl' | 'clock' | 'db'>;

/** Returns the user who is signed in to the service in this browser. */
export async function findSignedInUser(
  needs: SessionServices,
  request: Request,
): Promise<SignedInUser | undefined> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  if (sessionId === undefined) return undefined;
  const user = await useSession(needs.db, { sessionId, ...placeOf(request) }, needs.clock.now());
  if (user !== undefined) identifyActor('user', user.id);
  return user;
}

/**
 * True if the user of {@link findSignedInUser} still is signed in. A transaction that issues credentials asks again,
 * because another request can end the session meanwhile.
 */
export async function isStillSignedIn(
  { db, ...needs }: SessionServices,
  request: Request,
  userId: string,
): Promise<boolean> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  return sessionId !== undefined && (await isSessionOf(db, { userId, sessionId }, needs.clock.now()));
}

/** Session of a request, and the time of its sign-in in milliseconds since the epoch. */
export interface CurrentSession {
  sessionId: string;
  signedInAt: number;
}

/** Returns the session of a request whose user {@link findSignedInUser} has returned. */
export async function findCurrentSession(
  needs: SessionServices,
  request: Request,
  userId: string,
): Promise<CurrentSession | undefined> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  if (sessionId === undefined) return undefined;
  const signedInAt = await findSignInTime(needs.db, { userId, sessionId }, needs.clock.now());
  return signedInAt === undefined ? undefined : { sessionId, signedInAt };
}

/** Returns what a session stores about a request. The address and the `User-Agent` themselves are not stored. */
export function placeOf(request: Request): SessionPlace {
  return { browser: browserNameOf(request.get('User-Agent')), network: truncatedNetwork(request.ip) };
}

/** Returns the start of a session of the request's browser. */
export function sessionStartOf(host: Needs<'baseUrl'>, request: Request): Omit<SessionStart, 'userId'> {
  return { ...placeOf(request), replaces: readCookie(host, request, SESSION_COOKIE) };
}

/** Signs a user in with a new session id, and ends the browser's previous session. */
export async function startUserSession(
  needs: SessionServices,
  { request, response }: { request: Request; response: Response },
  userId: string,
): Promise<void> {
  const { db, clock } = needs;
  const start = { userId, ...sessionStartOf(needs, request) };
  const sessionId = await inTransaction(db, (transaction) => startSession(transaction, start, clock.now()));
  writeUserSession(needs, response, sessionId);
}

/** Gives this browser a session, or the new id of its session. */
export function writeUserSession(host: Needs<'baseUrl'>, response: Response, sessionId: string): void {
  cookieWriter(host, SESSION_COOKIE)(response, sessionId);
}

/** Signs the browser out and deletes the session in the database. */
export async function endUserSession(
  needs: SessionServices,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  if (sessionId !== undefined) await endSession(needs.db, sessionId);
  cookieWriter(needs, SESSION_COOKIE)(response, undefined);
}

/** Lists the active sessions of a user, newest first, and marks the session of this browser. */
export async function listUserSessions(
  needs: SessionServices,
  request: Request,
  { userId, limit }: { userId: string; limit: number },
): Promise<ListedSession[]> {
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  return await listSessions(needs.db, { userId, sessionId, limit }, needs.clock.now());
}

/**
 * Ends all sessions of a user, or all except this browser's. With `apps`, it also revokes the tokens of every app, in the
 * same transaction.
 */
export async function endUserSessions(
  needs: SessionServices,
  { request, response }: { request: Request; response: Response },
  { userId, which, apps }: { userId: string; which: 'others' | 'all'; apps: boolean },
): Promise<void> {
  const { db, clock } = needs;
  const sessionId = readCookie(needs, request, SESSION_COOKIE);
  await endAllSessions(db, { userId, except: which === 'others' ? sessionId : undefined, apps }, clock.now());
  if (which === 'all') cookieWriter(needs, SESSION_COOKIE)(response, undefined);
}
