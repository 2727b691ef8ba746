import type { ReactiveControllerHost } from 'lit';
import { withoutSlash } from '../browser/addresses.js';
import { createLoginSession, type LoginSession, type LoginSessionOptions } from '../session/login-session.js';
import type { SessionSnapshot } from '../state/login-state.js';
import { prepareElements, warnIfDifferent } from './rest.js';
import { afterLoad } from './shared.js';

interface SessionOptions {
  /** Returns the settings of the host's session, or `undefined` if the host uses the page's first session. */
  settings(): LoginSessionOptions | undefined;
  /** Returns the scopes that the host requests, or `undefined` to leave the session's scopes unchanged. */
  scopes(): readonly string[] | undefined;
  /** Called after each change of the session, but not when the host connects to it. */
  onChange?: (before: SessionSnapshot, after: SessionSnapshot) => void;
}

/** Connects an element to its session and updates the element after each change. */
export function connectSession(host: ReactiveControllerHost & Element, options: SessionOptions) {
  let current: LoginSession | undefined;
  /** True if the page assigned the session. */
  let isAssigned = false;
  /** The settings and scopes for which the session was looked up, as JSON. */
  let connected: string | undefined;
  let disconnect = () => {};
  /** Withdraws the announced session, or stops listening for a new first session. */
  let leave = () => {};

  const controller = {
    /** The host's session, for its current settings. */
    get session(): LoginSession | undefined {
      controller.hostUpdate();
      return current;
    },

    /** Assigns a session. `undefined` returns to the session that the host's settings select. */
    set session(session: LoginSession | undefined) {
      controller.hostDisconnected();
      isAssigned = session !== undefined;
      current = session;
      host.requestUpdate();
    },

    hostConnected(): void {
      // Lit requests an update by itself only the first time that an element connects.
      host.requestUpdate();
    },

    hostDisconnected(): void {
      disconnect();
      leave();
      disconnect = leave = () => {};
      connected = undefined;
    },

    hostUpdate(): void {
      if (!host.isConnected) return;
      const settings = options.settings();
      const key = JSON.stringify([settings, options.scopes()]);
      if (key === connected) return;
      controller.hostDisconnected();
      connected = key;
      if (isAssigned && current) follow(current);
      else if (settings) followShared(settings);
      else followFirst();
    },
  };
  host.addController(controller);
  // The visitor may click before the page is idle.
  for (const type of ['pointerenter', 'focusin']) host.addEventListener(type, prepare);

  function followShared(settings: LoginSessionOptions): void {
    const session = sharedSession(settings);
    if (settings.clientId) leave = announceSession(session);
    follow(session);
  }

  function followFirst(): void {
    const listener = () => {
      connected = undefined;
      host.requestUpdate();
    };
    leave = () => listeners.delete(listener);
    listeners.add(listener);
    if (first) follow(first);
  }

  function follow(session: LoginSession): void {
    current = session;
    session.scopes = options.scopes() ?? session.scopes;
    let before = session.snapshot;
    disconnect = session.subscribe((after) => {
      host.requestUpdate();
      options.onChange?.(before, after);
      before = after;
    });
    // Safari has no `requestIdleCallback`.
    afterLoad(() => (globalThis.requestIdleCallback ?? setTimeout)(prepare));
  }

  function prepare(): void {
    void current?.prepare();
    // A session that the page created loads nothing for its elements. A failure doesn't matter yet: an element that
    // needs the rest of the widget tries again, and reports the failure then.
    prepareElements();
  }

  return controller;
}

/** Sessions last as long as the page. Moving or recreating an element doesn't sign the user out. */
const sessions = new Map<string, SharedSession>();

export interface SharedSession {
  session: LoginSession;
  options: LoginSessionOptions;
  /** The settings of the latest warning, as JSON. An element that is moved or recreated doesn't repeat it. */
  warnedAbout?: string;
}

/**
 * Returns the page's session for a client, a service and a backend. The session's first element sets its other options.
 * A later element with different ones causes a warning in the console.
 */
function sharedSession(settings: LoginSessionOptions): LoginSession {
  const { serviceUrl, backend } = settings;
  // Addresses that differ only in a slash at the end share a session.
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

/** The session of each element with a `client-id`, in the order in which they announced it. */
const named: LoginSession[] = [];
/** Called when another session becomes the page's first. */
const listeners = new Set<() => void>();
/** The page's first session. Elements without a `client-id` use it. */
let first: LoginSession | undefined;

/**
 * Announces the session of an element with a `client-id`. It becomes the page's first session, unless another element
 * has announced the current one.
 * @returns a function that withdraws it.
 */
function announceSession(session: LoginSession): () => void {
  named.push(session);
  chooseFirst();
  return () => {
    named.splice(named.indexOf(session), 1);
    // An element that is moved announces its session again before this task runs.
    setTimeout(chooseFirst);
  };
}

/** Replaces a first session that is missing or withdrawn. Without another, it stays: its element may come back. */
function chooseFirst(): void {
  const [next] = named;
  if (!next || (first && named.includes(first))) return;
  first = next;
  for (const listener of listeners) listener();
}
