import { createLoginSession } from '../session/create-login-session.js';
import type { LoginSession, LoginSessionOptions } from '../session/login-session.js';
import { withoutSlash } from '../sign-in/address-ends.js';
import { log } from '../state/log.js';

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
export function sharedSession(settings: LoginSessionOptions): LoginSession {
  const { serviceUrl, backend } = settings;
  // Equal addresses have one session.
  const options = {
    ...settings,
    serviceUrl: withoutSlash(serviceUrl),
    backend: backend && withoutSlash(backend),
  };
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
  const message = `ignored ${ignored}; the session uses ${used}. Give both the same attributes.`;
  log('warn', 'attributes_differ', message);
}

/** The session of each element that names a client, in the order in which they named it. */
const named: LoginSession[] = [];
const listeners = new Set<() => void>();
let first: LoginSession | undefined;

/** Returns the page's first session. Elements without a `client-id` use it. */
export function firstSession(): LoginSession | undefined {
  return first;
}

/**
 * Calls back when another session becomes the page's first one.
 * @returns a function that removes the listener.
 */
export function onFirstSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Announces the session that an element names. It becomes the page's first one, unless an element names that.
 * @returns a function that withdraws it.
 */
export function announceSession(session: LoginSession): () => void {
  named.push(session);
  chooseFirst();
  return () => {
    named.splice(named.indexOf(session), 1);
    // An element that is moved names its session again before this task.
    setTimeout(chooseFirst);
  };
}

/** Replaces a first session that no element names. Without another one it stays, because the element may come back. */
function chooseFirst(): void {
  const [next] = named;
  if (!next || (first && named.includes(first))) return;
  first = next;
  for (const listener of listeners) listener();
}
