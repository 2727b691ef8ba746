import { createLoginSession, type LoginSession, type LoginSessionOptions } from '../core/login-session.js';

/** Sessions last as long as the page: an element that is moved or rendered anew must not sign anybody out. */
const sessions = new Map<string, Shared>();

interface Shared {
  session: LoginSession;
  options: LoginSessionOptions;
  /** The settings of the latest warning: an element that is moved or rendered anew is not told again. */
  told?: string;
}

/**
 * The page's session for a client, a service and a backend: elements that agree on these three share one. The first of
 * them settles the rest; one that comes later and wants something else is told so on the console.
 */
export function sharedSession(options: LoginSessionOptions): LoginSession {
  const name = JSON.stringify([options.clientId, options.serviceUrl, options.backend]);
  let shared = sessions.get(name);
  if (!shared) {
    shared = { session: createLoginSession(options), options };
    sessions.set(name, shared);
  }
  const settled = JSON.stringify(shared.options);
  // Without what is undefined: what an element leaves out it leaves to the others.
  const asked = JSON.stringify(options);
  if (shared.told !== asked && JSON.stringify({ ...shared.options, ...JSON.parse(asked) }) !== settled) {
    shared.told = asked;
    // biome-ignore lint/suspicious/noConsole: only who builds the site can set it right, and looks here.
    console.warn(
      `latchkey: elements disagree. Of ${settled} and ${asked} the first counts. Give both the same attributes.`,
    );
  }
  return shared.session;
}

/** Told with every session that an element with a `client-id` uses: a gate without one takes the page's first. */
const waiting = new Set<(session: LoginSession) => () => void>();
let first: LoginSession | undefined;

/** Makes a session the one that elements without a `client-id` take, if it is the first. */
export function announceSession(session: LoginSession): void {
  if (first) return;
  first = session;
  for (const take of waiting) take(session);
  waiting.clear();
}

/**
 * Calls back with the page's first session, at once or when there is one.
 * @returns a function that ends the wait, or what a call at once gave back.
 */
export function whenFirstSession(take: (session: LoginSession) => () => void): () => void {
  if (first) return take(first);
  waiting.add(take);
  return () => waiting.delete(take);
}
