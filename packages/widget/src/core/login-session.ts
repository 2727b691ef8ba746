import { type Clock, OAuthClientError, type OAuthService, readAuthorizationResponse } from '@latchkey/oauth';
import { attemptUrl, type PreparedAttempt, prepareAttempt } from './authorization-attempt.js';
import { createBackEndSession } from './back-end-session.js';
import { systemClock } from './clock.js';
import { failureOf, type LoginFailure } from './login-failure.js';
import { isUnderWay, type LoginEvent, type LoginState, transition } from './login-state.js';
import { listenForAnswer } from './popup-channel.js';
import { openPopupWindow, watchClosed } from './popup-window.js';
import { createRenewal } from './renewal.js';
import { type SessionSnapshot, snapshotOf } from './session-snapshot.js';
import { createStandaloneSession } from './standalone-session.js';
import { createMemoryStore, type TokenStore } from './token-store.js';
import { pageTimers, type Timers } from './wake-up.js';

/** What a session needs to know. */
export interface LoginSessionOptions {
  /** The public client: `oac_` and 24 hex characters. */
  clientId: string;
  /** Base URL of the service. */
  serviceUrl: string;
  /** Default `['memberships.read']`. */
  scopes?: readonly string[] | undefined;
  /** Backend mode: where the site's own server has the kit mounted, such as `/auth`. Default: standalone. */
  backend?: string | undefined;
  /** Standalone: where tokens are kept. Default: this page's memory. */
  store?: TokenStore | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
  timers?: Timers | undefined;
}

/** One user's session at one client, on one page. */
export interface LoginSession {
  readonly snapshot: SessionSnapshot;
  /** What the next attempt asks for. */
  scopes: readonly string[];
  /** Calls back at every change, with the new snapshot. @returns a function that ends it. */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /** Makes the secrets of the next attempt, so that a click can open the popup at once. Asks nothing of the network. */
  prepare(): Promise<void>;
  /**
   * Opens the popup: call it in a click, with nothing awaited before. While a popup is open, brings it forward. What
   * becomes of it is told by snapshots; it never throws.
   */
  signIn(): void;
  /** Ends an attempt and closes its popup; puts a failure or an expiry that was read out of the way. */
  cancel(): void;
  /** Forgets the session; in backend mode the site's server ends it, and `failure` says so when it could not. */
  signOut(): Promise<void>;
  /** Looks at the session again now: refreshes the token, reloads the memberships. Nothing to do when signed out. */
  refresh(): Promise<void>;
  /**
   * A token that is good for a request now; refreshed when its end is near.
   *
   * @throws OAuthClientError `invalid_token` when nobody is signed in; `invalid_configuration` in backend mode.
   */
  getAccessToken(): Promise<string>;
  /** Stops everything that runs; the session answers no more. */
  dispose(): void;
}

interface Attempt {
  popup: Window;
  abort: AbortController;
  stopListening?: () => void;
  stopWatching?: () => void;
}

/** Creates a session and, in backend mode, asks the site's server at once whether there is one already. */
export function createLoginSession(options: LoginSessionOptions): LoginSession {
  const {
    clientId,
    serviceUrl,
    backend,
    scopes = ['memberships.read'],
    store = createMemoryStore(),
  } = options;
  const time = { clock: options.clock ?? systemClock, timers: options.timers ?? pageTimers };
  const service: OAuthService = { clientId, serviceUrl, fetch: options.fetch, clock: time.clock };
  const keeper =
    backend === undefined
      ? createStandaloneSession(service, store, time)
      : createBackEndSession({ backend, clock: time.clock, fetch: options.fetch });
  const renewal = createRenewal(keeper, time, dispatch);
  const listeners = new Set<(snapshot: SessionSnapshot) => void>();
  const life = new AbortController();

  let state: LoginState = { status: keeper.mayHaveSession ? 'checking' : 'signed-out', attempt: 0 };
  let snapshot = snapshotOf(state);
  let prepared: PreparedAttempt | undefined;
  let preparing: Promise<PreparedAttempt> | undefined;
  let current: Attempt | undefined;

  function dispatch(event: LoginEvent): void {
    const next = transition(state, event);
    if (next === state) return;
    state = next;
    snapshot = snapshotOf(state);
    renewal.follow(state.session);
    for (const listener of [...listeners]) listener(snapshot);
  }

  function ready(): Promise<PreparedAttempt> {
    preparing ??= prepareAttempt(service)
      .then((made) => {
        prepared = made;
        return made;
      })
      .finally(() => {
        preparing = undefined;
      });
    return preparing;
  }

  async function prepare(): Promise<void> {
    if (prepared) return;
    try {
      await ready();
    } catch (error) {
      dispatch({ type: 'unusable', failure: failureOf(error, 'sign-in') });
    }
  }

  function endAttempt(): void {
    if (!current) return;
    const { popup, abort, stopListening, stopWatching } = current;
    current = undefined;
    abort.abort();
    stopListening?.();
    stopWatching?.();
    popup.close();
  }

  function signIn(): void {
    if (isUnderWay(state)) {
      current?.popup.focus();
      return;
    }
    if (state.session) return;
    endAttempt();
    dispatch({ type: 'attempt' });
    const { attempt } = state;
    const fail = (failure: LoginFailure) => {
      endAttempt();
      dispatch({ type: 'failed', attempt, failure });
    };
    try {
      const made = prepared;
      prepared = undefined;
      const popup = openPopupWindow(made ? attemptUrl(service, made, session.scopes) : 'about:blank');
      if (!popup) {
        prepared = made;
        fail({
          code: 'popup_blocked',
          during: 'sign-in',
          message: 'The browser refused to open the window.',
        });
        return;
      }
      current = { popup, abort: new AbortController() };
      follow(current, attempt, made ?? openLate(popup)).catch((error: unknown) => {
        if (state.attempt === attempt) fail(failureOf(error, 'sign-in'));
      });
    } catch (error) {
      fail(failureOf(error, 'sign-in'));
    }
  }

  /** The click came before the secrets were made: the window is open already, and gets its address now. */
  async function openLate(popup: Window): Promise<PreparedAttempt> {
    const made = await ready();
    prepared = undefined;
    popup.location.replace(attemptUrl(service, made, session.scopes));
    return made;
  }

  async function follow(
    run: Attempt,
    attempt: number,
    secrets: PreparedAttempt | Promise<PreparedAttempt>,
  ): Promise<void> {
    const { popup, abort } = run;
    const made = await secrets;
    if (abort.signal.aborted) return;
    dispatch({ type: 'opened', attempt });
    void prepare();
    run.stopWatching = watchClosed(popup, time.timers, () =>
      dispatch({
        type: 'failed',
        attempt,
        failure: { code: 'popup_closed', during: 'sign-in', message: 'The sign-in window seems closed.' },
      }),
    );
    const answer = await new Promise<URLSearchParams>((resolve) => {
      run.stopListening = listenForAnswer(
        { origin: new URL(made.redirectUri).origin, popup, state: made.state },
        resolve,
      );
    });
    run.stopListening?.();
    run.stopWatching();
    const code = readAuthorizationResponse(answer, { expectedState: made.state });
    dispatch({ type: 'answered', attempt });
    const { codeVerifier, redirectUri } = made;
    const completed = await keeper.exchange({ code, codeVerifier, redirectUri }, abort.signal);
    if (abort.signal.aborted) return;
    endAttempt();
    dispatch({ type: 'completed', attempt, session: completed });
  }

  async function signOut(): Promise<void> {
    endAttempt();
    renewal.stop();
    try {
      await keeper.signOut(life.signal);
    } catch (error) {
      renewal.follow(state.session);
      dispatch({ type: 'sign-out-failed', failure: failureOf(error, 'sign-out') });
      return;
    }
    dispatch({ type: 'signed-out' });
    void prepare();
  }

  async function getAccessToken(): Promise<string> {
    if (backend !== undefined) {
      throw new OAuthClientError(
        'invalid_configuration',
        "In backend mode the access token stays with the site's server: call an address of the site instead.",
      );
    }
    if (state.session && time.clock.now() >= state.session.renewAt) await renewal.renew();
    const token = state.session && keeper.accessToken();
    if (!token) throw new OAuthClientError('invalid_token', 'Nobody is signed in on this page.');
    return token;
  }

  for (const [target, type] of [
    [document, 'visibilitychange'],
    [window, 'pageshow'],
    [window, 'online'],
  ] as const) {
    target.addEventListener(
      type,
      () => {
        if (document.visibilityState === 'visible') renewal.check();
      },
      { signal: life.signal },
    );
  }
  if (keeper.mayHaveSession) void renewal.renew();

  const session: LoginSession = {
    scopes,
    get snapshot() {
      return snapshot;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prepare,
    signIn,
    cancel() {
      endAttempt();
      dispatch({ type: 'cancelled' });
    },
    signOut,
    refresh() {
      dispatch({ type: 'check' });
      return renewal.renew();
    },
    getAccessToken,
    dispose() {
      endAttempt();
      renewal.stop();
      life.abort();
      listeners.clear();
    },
  };
  return session;
}
