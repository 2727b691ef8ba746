import { createLoginSession, type LoginSession, type LoginSessionOptions } from '../core/login-session.js';

/** Sessions last as long as the page: an element that is moved or rendered anew must not sign anybody out. */
const sessions = new Map<string, { session: LoginSession; options: LoginSessionOptions }>();

/**
 * The page's session for a client, a service and a backend: elements that agree on these three share one. The first of
 * them settles the rest; one that comes later and wants something else is told so on the console.
 */
export function sharedSession(options: LoginSessionOptions): LoginSession {
  const name = JSON.stringify([options.clientId, options.serviceUrl, options.backend]);
  const known = sessions.get(name);
  if (known) {
    warnOfDisagreement(known.options, options);
    return known.session;
  }
  const session = createLoginSession(options);
  sessions.set(name, { session, options });
  return session;
}

const told = new Set<string>();

/** What an element leaves out it leaves to the others; what it asks for and does not get, its author should hear of, once. */
function warnOfDisagreement(first: object, later: object): void {
  const settled = new Map(Object.entries(first));
  if (Object.entries(later).every(([setting, value]) => !value || settled.get(setting) === value)) return;
  const text = `latchkey: elements disagree. The first one's settings count: ${JSON.stringify(first)}, not ${JSON.stringify(later)}. Give both the same attributes.`;
  if (told.has(text)) return;
  told.add(text);
  // biome-ignore lint/suspicious/noConsole: only who builds the site can set it right, and looks here.
  console.warn(text);
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
