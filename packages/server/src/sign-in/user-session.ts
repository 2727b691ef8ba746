import type { Request, Response } from 'express';
import type { Dependencies } from '../dependencies.js';
import { cookieWriter, type PageCookie, readCookie } from '../http/cookies.js';
import { USER_SESSION_LIFETIME_SECONDS } from '../stores/session-store.js';
import type { User } from '../stores/user-store.js';

const SESSION_COOKIE: PageCookie = {
  name: 'latchkey_service_session',
  lifetimeSeconds: USER_SESSION_LIFETIME_SECONDS,
};

/** The person who is signed in at the service in this browser. */
export async function findSignedInUser(
  dependencies: Dependencies,
  request: Request,
): Promise<User | undefined> {
  const sessionId = readCookie(dependencies, request, SESSION_COOKIE);
  if (sessionId === undefined) return undefined;
  return await dependencies.stores.sessions.findUser(sessionId, dependencies.clock.now());
}

/** Signs a person in under a new session id, and ends the session that the browser came with. */
export async function startUserSession(
  dependencies: Dependencies,
  { request, response }: { request: Request; response: Response },
  userId: string,
): Promise<void> {
  const { sessions } = dependencies.stores;
  const previous = readCookie(dependencies, request, SESSION_COOKIE);
  const sessionId = await sessions.start(userId, dependencies.clock.now());
  if (previous !== undefined) await sessions.end(previous);
  cookieWriter(dependencies, SESSION_COOKIE)(response, sessionId);
}

/** Signs the browser out: the session is gone on the server too. */
export async function endUserSession(
  dependencies: Dependencies,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const sessionId = readCookie(dependencies, request, SESSION_COOKIE);
  if (sessionId !== undefined) await dependencies.stores.sessions.end(sessionId);
  cookieWriter(dependencies, SESSION_COOKIE)(response, undefined);
}
