import { createLoginSession, type LoginSession } from '../core/login-session.js';

/** What names a session on a page. Elements that agree on all three share one. */
export interface SessionKey {
  clientId: string;
  serviceUrl: string;
  backend: string | undefined;
}

/** Sessions last as long as the page: an element that is moved or rendered anew must not sign anybody out. */
const sessions = new Map<string, LoginSession>();

/** The page's session of that name. */
export function sharedSession(key: SessionKey): LoginSession {
  const name = JSON.stringify([key.clientId, key.serviceUrl, key.backend]);
  let session = sessions.get(name);
  if (!session) {
    session = createLoginSession(key);
    sessions.set(name, session);
  }
  return session;
}

/** Told with every session that an element with a `client-id` uses: a gate without one takes the page's first. */
const waiting = new Set<(session: LoginSession) => void>();
let first: LoginSession | undefined;

/** Makes a session the one that elements without a `client-id` take, if it is the first. */
export function announceSession(session: LoginSession): void {
  if (first) return;
  first = session;
  for (const take of [...waiting]) take(session);
}

/** Calls back with the page's first session, at once or when there is one. @returns a function that ends the wait. */
export function whenFirstSession(take: (session: LoginSession) => void): () => void {
  if (first) take(first);
  else waiting.add(take);
  return () => waiting.delete(take);
}
