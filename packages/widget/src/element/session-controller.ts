import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { withoutSlash } from '../browser/addresses.js';
import { createLoginSession, type LoginSession, type LoginSessionOptions } from '../session/login-session.js';
import { log } from '../state/login-failure.js';
import type { SessionSnapshot } from '../state/login-state.js';

interface SessionControllerOptions {
  /** Returns the settings of the host's session. `undefined` if it names no client and uses the page's first session. */
  settings(): LoginSessionOptions | undefined;
  /** Returns the scopes that the host requests. `undefined` leaves those of the session unchanged. */
  scopes(): readonly string[] | undefined;
  /** Called after each change of the session, not when the host connects to it. */
  onChange?: (before: SessionSnapshot, after: SessionSnapshot) => void;
}

/** Connects an element to its session and updates the element after each change. */
export class SessionController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: SessionControllerOptions;
  #session: LoginSession | undefined;
  /** True if the page assigned the session. */
  #isAssigned = false;
  /** The settings for which `#session` was looked up, as JSON. */
  #connected: string | undefined;
  #disconnect = () => {};
  /** Withdraws the announced session, or stops waiting for another first one. */
  #leave = () => {};

  constructor(host: ReactiveControllerHost & Element, options: SessionControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
    // The visitor may click before the page is idle.
    for (const type of ['pointerenter', 'focusin'])
      host.addEventListener(type, () => void this.#session?.prepare());
  }

  /** The host's session, for its current settings. */
  get session(): LoginSession | undefined {
    this.#connect();
    return this.#session;
  }

  /** Assigns a session. `undefined` returns to the session of the host's settings. */
  set session(session: LoginSession | undefined) {
    this.#release();
    this.#isAssigned = session !== undefined;
    this.#session = session;
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    // Lit updates an element only when it is connected for the first time.
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#release();
  }

  hostUpdate(): void {
    this.#connect();
  }

  #connect(): void {
    if (!this.#host.isConnected) return;
    const settings = this.#options.settings();
    const key = JSON.stringify([settings, this.#options.scopes()]);
    if (key === this.#connected) return;
    this.#release();
    this.#connected = key;
    if (this.#isAssigned && this.#session) this.#follow(this.#session);
    else if (settings) this.#followShared(settings);
    else this.#followFirst();
  }

  #followShared(settings: LoginSessionOptions): void {
    const session = sharedSession(settings);
    if (settings.clientId) this.#leave = announceSession(session);
    this.#follow(session);
  }

  #followFirst(): void {
    const listener = () => {
      this.#connected = undefined;
      this.#host.requestUpdate();
    };
    this.#leave = () => listeners.delete(listener);
    listeners.add(listener);
    if (first) this.#follow(first);
  }

  #follow(session: LoginSession): void {
    this.#session = session;
    session.scopes = this.#options.scopes() ?? session.scopes;
    let before = session.snapshot;
    this.#disconnect = session.subscribe((after) => {
      this.#host.requestUpdate();
      this.#options.onChange?.(before, after);
      before = after;
    });
    whenIdle(() => void session.prepare());
  }

  #release(): void {
    this.#disconnect();
    this.#leave();
    this.#disconnect = this.#leave = () => {};
    this.#connected = undefined;
  }
}

/** Calls back when the page has loaded and has nothing else to do. */
function whenIdle(callback: () => void): void {
  // Safari has no idle callback.
  const wait = () => (globalThis.requestIdleCallback ?? setTimeout)(callback);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}

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
function sharedSession(settings: LoginSessionOptions): LoginSession {
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
/** Called when another session becomes the page's first one. */
const listeners = new Set<() => void>();
/** The page's first session. Elements without a `client-id` use it. */
let first: LoginSession | undefined;

/**
 * Announces the session that an element names. It becomes the page's first one, unless an element names that.
 * @returns a function that withdraws it.
 */
function announceSession(session: LoginSession): () => void {
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
