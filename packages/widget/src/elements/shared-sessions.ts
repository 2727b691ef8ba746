import { createLoginSession } from '../session/create-login-session.js';
import type { LoginSession, LoginSessionOptions } from '../session/login-session.js';
import { docsAddress } from '../state/docs-address.js';

/** Sessions last as long as the page, so that moving or recreating an element signs no user out. */
const sessions = new Map<string, SharedSession>();

interface SharedSession {
  session: LoginSession;
  options: LoginSessionOptions;
  /** The settings of the latest warning, so that an element that is moved or recreated does not repeat it. */
  warnedAbout?: string;
}

/**
 * Returns the page's session for a client, a service and a backend. The first element of a session sets its other options.
 * A later element with different options causes a warning in the console.
 */
export function sharedSession(options: LoginSessionOptions): LoginSession {
  const key = JSON.stringify([options.clientId, options.serviceUrl, options.backend]);
  let shared = sessions.get(key);
  if (!shared) {
    shared = { session: createLoginSession(options), options };
    sessions.set(key, shared);
  }
  warnIfDifferent(shared, options);
  return shared.session;
}

function warnIfDifferent(shared: SharedSession, options: LoginSessionOptions): void {
  const used = JSON.stringify(shared.options);
  // JSON omits undefined values: an element without an attribute accepts any value.
  const ignored = JSON.stringify(options);
  if (ignored === used || shared.warnedAbout === ignored) return;
  if (JSON.stringify({ ...shared.options, ...JSON.parse(ignored) }) === used) return;
  shared.warnedAbout = ignored;
  // biome-ignore lint/suspicious/noConsole: the developer of the site looks for such warnings in the console.
  console.warn(
    `Latchkey: ignored ${ignored}; the session uses ${used}. Give both the same attributes. ${docsAddress('attributes_differ')}`,
  );
}

/** Elements that wait for the page's first session. */
const waiting = new Set<(session: LoginSession) => () => void>();
let first: LoginSession | undefined;

/** Makes a session the page's first one, unless another one is. Elements without a `client-id` use it. */
export function announceSession(session: LoginSession): void {
  if (first) return;
  first = session;
  for (const connect of waiting) connect(session);
  waiting.clear();
}

/**
 * Calls back with the page's first session, at once or when it is announced.
 * @param connect returns a function that disconnects the element.
 * @returns a function that stops waiting, or disconnects the element.
 */
export function whenFirstSession(connect: (session: LoginSession) => () => void): () => void {
  if (first) return connect(first);
  waiting.add(connect);
  return () => waiting.delete(connect);
}
