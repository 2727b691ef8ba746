import type { Clock } from '@latchkey/oauth';
import { openChannel, readValue } from '../browser/tabs.js';
import type { Timers } from '../browser/wake-up.js';
import type { Rest } from '../sign-in/import-rest.js';
import { loadRest } from '../sign-in/load-rest.js';
import { takeFailure, takeReturned } from '../sign-in/redirect.js';
import type { SignInOptions } from '../sign-in/request.js';
import { createSignIn } from '../sign-in/sign-in.js';
import { failureOf } from '../state/login-failure.js';
import { createLoginStore, type SessionSnapshot } from '../state/login-state.js';
import type { SessionReader } from '../state/session-provider.js';
import { createBackendReader } from './backend-reader.js';
import { createRenewal } from './renewal.js';
import type { TokenStorage } from './token-store.js';

type LoadedSession = ReturnType<Rest['loadedSession']>;

/** The settings of a session. */
export interface LoginSessionOptions extends SignInOptions {
  /** Id of the public client: `oac_` and 24 hex characters. */
  clientId: string;
  /** Base URL of the service. */
  serviceUrl: string;
  /**
   * Scopes to request when signing in.
   * @default ['memberships.read']
   */
  scopes?: readonly string[] | undefined;
  /**
   * Where a standalone session stores its tokens.
   * @default 'memory'
   */
  storage?: TokenStorage | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
  timers?: Timers | undefined;
}

/** One user's session at one client, on one page. */
export interface LoginSession {
  /** Path of this site where the Express kit is mounted. Absent in a standalone session. */
  readonly backend?: string | undefined;
  readonly snapshot: SessionSnapshot;
  /** The signed-in user. Store `sub` as the user's key, never `email`. */
  readonly user: SessionSnapshot['user'];
  /** Active memberships. `undefined` if no user is signed in, or `memberships.read` was not granted. */
  readonly memberships: SessionSnapshot['memberships'];
  /** The element that shows this session's states. Elements set it to ensure that a page shows each state only once. */
  shownBy?: (Element & { requestUpdate(): void }) | undefined;
  /** Scopes to request at the next sign-in. */
  scopes: readonly string[];
  /**
   * Calls the listener with the new snapshot after each change.
   * @returns a function that removes the listener.
   */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /**
   * Prepares the secrets of the next attempt. Then a click can open the popup right at the service. Loads the rest of
   * the widget if the page doesn't have it yet, and makes no other request.
   */
  prepare(): Promise<void>;
  /**
   * Opens the popup, or redirects the page. Call it synchronously in a click handler. If a popup is already open,
   * focuses it. Never throws: snapshots report the result.
   */
  signIn(): void;
  /**
   * Signs in with another account, which the visitor chooses at the service. Call it like `signIn()`. The current
   * session is hidden meanwhile, and comes back if the attempt fails or is cancelled. A service that doesn't support
   * choosing an account may sign the same user in again.
   */
  switchAccount(): void;
  /** Ends the running attempt and closes its popup. Without an attempt, dismisses a failure or an expiry. */
  cancel(): void;
  /** Ends the session. In backend mode, the site's server ends it; `failure` reports an error. */
  signOut(): Promise<void>;
  /** Refreshes the token and the memberships now. Does nothing while signed out. */
  refresh(): Promise<void>;
  /**
   * Returns a valid access token, refreshed if its expiry is near.
   *
   * @throws OAuthClientError `invalid_token` if no user is signed in; `invalid_configuration` in backend mode.
   */
  getAccessToken(): Promise<string>;
  /**
   * Requests an address on this page's origin as the signed-in user: with the access token, or with the cookie in
   * backend mode. Doesn't follow redirects.
   *
   * @throws OAuthClientError `invalid_configuration` for an address on another origin, which must not receive the
   * token; `invalid_token` if no user is signed in. TypeError for the same reasons as `fetch`.
   */
  fetch(address: string, init?: RequestInit): Promise<Response>;
  /** Stops all timers, listeners and requests of the session. */
  dispose(): void;
}

/**
 * Creates a session. It restores the session that the browser or the site's server keeps, or finishes a sign-in by
 * redirect.
 *
 * This is the part that a page needs for its first paint: it asks the backend who is signed in, checks for stored
 * tokens, and starts sign-ins. {@link loadedSession} does the rest.
 */
export function createLoginSession(options: LoginSessionOptions): LoginSession {
  const { clientId, serviceUrl, backend, returnUrl, storage = 'memory', scopes } = options;
  const { clock = Date, timers = globalThis } = options;
  const time = { clock, timers };
  const name = `latchkey:${clientId}@${backend ?? serviceUrl}`;
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const service = {
    clientId,
    serviceUrl,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    clock,
  };
  const returned = backend === undefined ? takeReturned(name) : undefined;
  // Only a redirect leaves a failure, or a `memory` session's tokens, for this page. Without one, skip sessionStorage:
  // reading it delays the page.
  const canReturn = returnUrl !== undefined;
  const failure = canReturn ? takeFailure(name) : undefined;
  // A page that keeps nothing starts signed out. Other tabs have nothing to tell it before the rest has loaded.
  const isEmpty = backend === undefined && storage === 'memory' && !canReturn;
  const early = isEmpty ? undefined : openChannel(name, signal);
  let loaded: LoadedSession | undefined;

  const reader: SessionReader =
    backend === undefined
      ? {
          get mayHaveSession() {
            if (loaded) return loaded.provider.mayHaveSession;
            return (
              early !== undefined && readValue(storage === 'local' ? storage : 'session', name) !== undefined
            );
          },
          renew: async (...parameters) => (await load()).provider.renew(...parameters),
        }
      : createBackendReader(service, backend);

  const store = createLoginStore(
    {
      status: returned
        ? 'exchanging'
        : failure
          ? 'failed'
          : reader.mayHaveSession
            ? 'checking'
            : 'signed-out',
      attempt: 0,
      ...(failure && { failure }),
    },
    (state, { type }) => {
      // A renewal that is still running has an older result than the completed sign-in.
      if (type === 'completed') renewal.stop();
      renewal.follow(state.session);
      // Restore the session that the attempt hid. Another tab may also have signed in meanwhile.
      if (reader.mayHaveSession && (type === 'failed' || type === 'cancelled')) void renewal.renew(true);
    },
  );
  const renewal = createRenewal(reader, time, store);
  const signIn = createSignIn(options, { store, reader, load });

  const session: LoginSession = {
    backend,
    scopes: scopes ?? ['memberships.read'],
    get snapshot() {
      return store.snapshot;
    },
    get user() {
      return store.snapshot.user;
    },
    get memberships() {
      return store.snapshot.memberships;
    },
    subscribe: (listener) => store.subscribe(listener),
    async prepare() {
      // If the rest doesn't load, prepare nothing. The click tries again, and reports a failure.
      await (await load().catch(() => {}))?.flow.prepare();
    },
    signIn: () => signIn.start(),
    switchAccount: () => signIn.start(true),
    cancel() {
      signIn.stop();
      store.dispatch({ type: 'cancelled' });
    },
    async signOut() {
      signIn.stop();
      const { attempt } = store.state;
      // The user may start a new sign-in before this ends. The attempt's number lets the store leave that one alone.
      try {
        await (loaded ?? (await load())).signOut(attempt);
      } catch (error) {
        store.dispatch({ type: 'sign-out-failed', attempt, failure: failureOf(error, 'sign-out') });
      }
      void session.prepare();
    },
    refresh() {
      store.dispatch({ type: 'check' });
      return renewal.renew();
    },
    getAccessToken: async () => (await load()).getAccessToken(),
    fetch: async (...parameters) => (await load()).fetch(...parameters),
    dispose() {
      signIn.stop();
      renewal.stop();
      lifetime.abort();
      store.clear();
    },
  };

  async function load(): Promise<LoadedSession> {
    const { loadedSession } = await loadRest(serviceUrl);
    signal.throwIfAborted();
    if (loaded) return loaded;
    const tabs = early ?? openChannel(name, signal);
    const first = { name, service, time, signIn, renewal, reader, tabs, signal };
    loaded = loadedSession(session, first);
    // A check that failed without the rest may succeed now, or fail with a more exact reason.
    const { during, code } = store.state.failure ?? {};
    if (during === 'check' && code !== 'misconfigured') void session.refresh();
    return loaded;
  }

  const handle = ({ type, persisted }: PageTransitionEvent) => {
    const isShown = type !== 'pageshow' && document.visibilityState === 'visible';
    if (persisted || isShown) renewal.check(type !== 'visibilitychange');
    // The visitor went back in the history after a redirect, without a response.
    if (signIn.isLeaving && persisted) session.cancel();
  };
  document.addEventListener('visibilitychange', handle as EventListener, { signal });
  addEventListener('pageshow', handle, { signal });
  addEventListener('online', handle as EventListener, { signal });

  // The rest handles messages from other tabs. It replaces this listener when it loads.
  if (early)
    early.onmessage = async (event) => {
      if (await load().catch(() => {})) early.onmessage?.(event);
    };
  if (returned) signIn.resume(returned);
  else if (reader.mayHaveSession) void renewal.renew();
  return session;
}
