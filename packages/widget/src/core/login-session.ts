import {
  type Clock,
  hostedCallbackUrl,
  OAuthClientError,
  type OAuthService,
  readAuthorizationResponse,
} from '@latchkey/oauth';
import { attemptUrl, type PreparedAttempt, popupAnswer, prepareAttempt } from './authorization-attempt.js';
import { backendUrl, createBackEndSession } from './back-end-session.js';
import { systemClock } from './clock.js';
import { failureOf, type LoginFailure, type LoginFailureCode, LoginProblem } from './login-failure.js';
import { isUnderWay, type LoginEvent, type LoginState, transition } from './login-state.js';
import { openerIsSevered } from './opener.js';
import { listenForAnswer } from './popup-channel.js';
import { openPopupWindow, watchClosed } from './popup-window.js';
import {
  popupIsHopeless,
  type ReturnedAnswer,
  rememberRedirect,
  returnAddress,
  takeReturned,
} from './redirect-flow.js';
import { createRenewal } from './renewal.js';
import { type SessionSnapshot, snapshotOf } from './session-snapshot.js';
import { createStandaloneSession } from './standalone-session.js';
import { keep, type TokenStorage, takeOnce } from './token-store.js';
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
  /** Standalone: where tokens are kept. Default `memory`. */
  storage?: TokenStorage | undefined;
  /**
   * How the user gets to the service. `popup` (the default) takes the `redirect` where a popup is refused or known not
   * to find back, provided there is a way back: a `backend`, or a `returnUrl`.
   */
  mode?: 'popup' | 'redirect' | undefined;
  /**
   * Standalone: the page of this site to come back to when there is no popup; the widget is on it with the same
   * settings, and it is registered among the client's redirect URIs.
   */
  returnUrl?: string | undefined;
  /**
   * A page of this site that loads `callback.js`, registered among the client's redirect URIs, for popups to end on.
   * Default: the callback that the service hosts.
   */
  callbackUrl?: string | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
  timers?: Timers | undefined;
}

/** One user's session at one client, on one page. */
export interface LoginSession {
  readonly snapshot: SessionSnapshot;
  /** Who is signed in. `sub` is the key to store, never `email`. */
  readonly user: SessionSnapshot['user'];
  /** Active memberships; `undefined` when nobody is signed in, or `memberships.read` was not granted. */
  readonly memberships: SessionSnapshot['memberships'];
  /** What the next attempt asks for. */
  scopes: readonly string[];
  /** Calls back at every change, with the new snapshot. @returns a function that ends it. */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /** Makes the secrets of the next attempt, so that a click can open the popup at once. Asks nothing of the network. */
  prepare(): Promise<void>;
  /**
   * Opens the popup, or leaves the page: call it in a click, with nothing awaited before. While a popup is open, brings
   * it forward. What becomes of it is told by snapshots; it never throws.
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
  /**
   * Asks an address of this site as the signed-in user: with the access token, or in backend mode with the cookie.
   * Redirects are not followed: an answer is the address's own.
   *
   * @throws OAuthClientError `invalid_configuration` for an address of another site, which must not see a token;
   * `invalid_token` when nobody is signed in; TypeError as `fetch` does.
   */
  fetch(address: string, init?: RequestInit): Promise<Response>;
  /** Stops everything that runs; the session answers no more. */
  dispose(): void;
}

/** The callback's word for a page that may not have the code. */
const ORIGIN_REFUSED = 'origin_refused';

/** What the owner of the site has to set right. */
const FOR_OWNERS: readonly LoginFailureCode[] = [
  'opener_severed',
  'origin_refused',
  'insecure_context',
  'misconfigured',
];

/** Before a popup has been open for this long, hardly anybody has closed it. */
const HASTE_MS = 5000;

interface Attempt {
  number: number;
  begunAt: number;
  popup?: Window;
  abort: AbortController;
  stopListening?: () => void;
  stopWatching?: () => void;
}

/** Creates a session: finds the one that the browser or the site's server kept, or the answer that a redirect brought. */
export function createLoginSession(options: LoginSessionOptions): LoginSession {
  const {
    clientId,
    serviceUrl,
    backend,
    scopes = ['memberships.read'],
    storage = 'memory',
    mode,
    returnUrl,
    callbackUrl,
  } = options;
  const time = { clock: options.clock ?? systemClock, timers: options.timers ?? pageTimers };
  const service: OAuthService = { clientId, serviceUrl, fetch: options.fetch, clock: time.clock };
  const name = `latchkey:${clientId}@${backend ?? serviceUrl}`;
  const redirectName = `${name}:redirect`;
  const brought = takeOnce(`${name}:failure`) as LoginFailure | undefined;
  const returned = backend === undefined ? takeReturned(redirectName) : undefined;
  const keeper =
    backend === undefined
      ? createStandaloneSession(service, { clock: time.clock, storage, name })
      : createBackEndSession({ backend, clock: time.clock, fetch: options.fetch, name });
  const renewal = createRenewal(keeper, time, dispatch);
  const listeners = new Set<(snapshot: SessionSnapshot) => void>();
  const life = new AbortController();
  /** Known once a popup was lost: this page can have none. */
  let severed = false;

  let state: LoginState = {
    ...(returned
      ? { status: 'exchanging' }
      : brought
        ? { status: 'failed', failure: brought }
        : { status: keeper.mayHaveSession ? 'checking' : 'signed-out' }),
    attempt: 0,
  };
  let snapshot = snapshotOf(state);
  let prepared: PreparedAttempt | undefined;
  let preparing: Promise<PreparedAttempt> | undefined;
  let current: Attempt | undefined;

  function dispatch(event: LoginEvent): void {
    const next = transition(state, event);
    if (next === state) return;
    const before = state;
    state = next;
    snapshot = snapshotOf(state);
    const { failure } = state;
    if (failure && failure !== before.failure && FOR_OWNERS.includes(failure.code)) {
      // biome-ignore lint/suspicious/noConsole: only who builds the site can set it right, and looks here.
      console.error(`Latchkey: ${failure.message}`);
    }
    renewal.follow(state.session);
    for (const listener of [...listeners]) {
      try {
        listener(snapshot);
      } catch (error) {
        // One listener's mistake must not keep the others from what happened.
        reportError(error);
      }
    }
  }

  function ready(): Promise<PreparedAttempt> {
    preparing ??= prepareAttempt()
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
      hostedCallbackUrl(service);
      await ready();
    } catch (error) {
      dispatch({ type: 'unusable', failure: failureOf(error, 'sign-in') });
    }
  }

  /** Secrets are good for one attempt. */
  async function takePrepared(): Promise<PreparedAttempt> {
    const made = await ready();
    prepared = undefined;
    return made;
  }

  function beginAttempt(): Attempt {
    current = { number: state.attempt, begunAt: time.clock.now(), abort: new AbortController() };
    return current;
  }

  function endAttempt({ keepPopup = false } = {}): void {
    if (!current) return;
    const { popup, abort, stopListening, stopWatching } = current;
    current = undefined;
    abort.abort();
    stopListening?.();
    stopWatching?.();
    if (!keepPopup) popup?.close();
  }

  function fail({ number: attempt, abort }: Attempt, error: unknown): void {
    if (abort.signal.aborted) return;
    const failure = failureOf(error, 'sign-in');
    // A popup that explains a setting stays open for whoever can change it.
    endAttempt({ keepPopup: failure.code === 'origin_refused' });
    dispatch({ type: 'failed', attempt, failure });
  }

  function signIn(): void {
    if (isUnderWay(state)) {
      current?.popup?.focus();
      return;
    }
    if (state.session) return;
    endAttempt();
    dispatch({ type: 'attempt' });
    const run = beginAttempt();
    begin(run).catch((error: unknown) => fail(run, error));
  }

  /** Runs within the click until the window is open. */
  async function begin(run: Attempt): Promise<void> {
    const hasWayBack = backend !== undefined || returnUrl !== undefined;
    if (mode === 'redirect' || (hasWayBack && (severed || popupIsHopeless()))) return leave(run);
    const made = prepared;
    const answer = made && popupAnswer(service, made, callbackUrl);
    const popup = openPopupWindow(
      answer ? attemptUrl(service, { ...made, ...answer }, session.scopes) : 'about:blank',
    );
    if (popup) {
      prepared = undefined;
      run.popup = popup;
      return follow(run, popup, made ?? openLate(popup));
    }
    // Without a click browsers refuse as well, and then a page that goes away by itself would be a surprise.
    if (hasWayBack && navigator.userActivation?.isActive !== false) return leave(run);
    throw new LoginProblem('popup_blocked', 'The browser refused to open the window.');
  }

  /** The click came before the secrets were made: the window is open already, and gets its address now. */
  async function openLate(popup: Window): Promise<PreparedAttempt> {
    const made = await takePrepared();
    const answer = popupAnswer(service, made, callbackUrl);
    popup.location.replace(attemptUrl(service, { ...made, ...answer }, session.scopes));
    return made;
  }

  async function follow(
    run: Attempt,
    popup: Window,
    secrets: PreparedAttempt | Promise<PreparedAttempt>,
  ): Promise<void> {
    const { number: attempt, abort } = run;
    const made = await secrets;
    if (abort.signal.aborted) return;
    dispatch({ type: 'opened', attempt });
    void prepare();
    const { redirectUri, state: expectedState } = popupAnswer(service, made, callbackUrl);
    run.stopWatching = watchClosed(popup, time.timers, () => void seemsClosed(run));
    const answer = await new Promise<URLSearchParams>((resolve) => {
      run.stopListening = listenForAnswer({ origin: new URL(redirectUri).origin, popup }, resolve);
    });
    run.stopListening?.();
    run.stopWatching();
    if (answer.get('error') === ORIGIN_REFUSED && answer.get('state') === expectedState) {
      throw new LoginProblem(
        ORIGIN_REFUSED,
        `The client does not allow ${location.origin}: add exactly this origin to its "Allowed web origins".`,
      );
    }
    await finish(run, answer, { expectedState, redirectUri, codeVerifier: made.codeVerifier });
  }

  async function seemsClosed({ number: attempt, begunAt }: Attempt): Promise<void> {
    const failed = (code: LoginFailureCode, message: string) =>
      dispatch({ type: 'failed', attempt, failure: { code, during: 'sign-in', message } });
    failed('popup_closed', 'The sign-in window seems closed.');
    // Who closes a window is back on the page then. Asking anyway would trouble pages whose policy forbids it.
    if (document.hasFocus() && time.clock.now() - begunAt > HASTE_MS) return;
    severed = await openerIsSevered();
    if (severed) {
      failed(
        'opener_severed',
        'Cross-Origin-Opener-Policy: same-origin cuts this page off from its popups. Send same-origin-allow-popups, or set return-url.',
      );
    }
  }

  async function finish(
    { number: attempt, abort }: Attempt,
    answer: URLSearchParams,
    sent: { expectedState: string; redirectUri: string; codeVerifier: string },
  ): Promise<void> {
    const { expectedState, ...grant } = sent;
    const code = readAuthorizationResponse(answer, { expectedState });
    dispatch({ type: 'answered', attempt });
    // Another tab has signed in since the popup seemed closed.
    if (state.status !== 'exchanging') return endAttempt();
    const completed = await keeper.exchange({ code, ...grant }, abort.signal);
    if (abort.signal.aborted) return;
    endAttempt();
    // What a look under way tells is older than this.
    renewal.stop();
    dispatch({ type: 'completed', attempt, session: completed });
  }

  /** Signs in without a popup: this page goes away, and the visitor comes back to it. */
  async function leave({ abort }: Attempt): Promise<void> {
    if (backend !== undefined) {
      const { pathname, search, hash } = location;
      location.assign(
        `${backendUrl(backend, 'login')}?returnTo=${encodeURIComponent(pathname + search + hash)}`,
      );
      return;
    }
    const redirectUri = returnAddress(returnUrl);
    const made = await takePrepared();
    if (abort.signal.aborted) return;
    const { nonce, codeVerifier } = made;
    rememberRedirect(redirectName, { state: nonce, codeVerifier, redirectUri, from: location.href });
    location.assign(attemptUrl(service, { ...made, redirectUri, state: nonce }, session.scopes));
  }

  /** On the return page: finishes what another page began, and goes back to that one. */
  async function finishReturned({ query, attempt: begun }: ReturnedAnswer): Promise<void> {
    const run = beginAttempt();
    const { state: expectedState, redirectUri, codeVerifier, from } = begun;
    try {
      await finish(run, query, { expectedState, redirectUri, codeVerifier });
    } catch (error) {
      fail(run, error);
    }
    if (from === location.href || isUnderWay(state)) return;
    // Another fragment is no other page: nothing would take what was left for it.
    if (from.split('#')[0] !== location.href.split('#')[0]) {
      if (state.failure) keep('session', `${name}:failure`, state.failure);
      else keeper.leaveBehind();
    }
    location.replace(from);
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

  async function fetchAsUser(address: string, init?: RequestInit): Promise<Response> {
    const url = new URL(address, document.baseURI);
    if (url.origin !== location.origin) {
      throw new OAuthClientError(
        'invalid_configuration',
        `${url.origin} is not this site (${location.origin}), and may not see the user's token.`,
      );
    }
    const headers = new Headers(init?.headers);
    if (backend === undefined) headers.set('authorization', `Bearer ${await getAccessToken()}`);
    return (options.fetch ?? fetch)(url, { ...init, headers, redirect: 'manual' });
  }

  keeper.listen((outcome) => {
    // A look under way is older news. Not so where it rotates tokens: their answer must not be lost.
    if (backend !== undefined) renewal.stop();
    if (outcome === 'signed-out' && !isUnderWay(state)) dispatch({ type: 'signed-out' });
    else renewal.tell(outcome);
  });
  for (const [target, type] of [
    [document, 'visibilitychange'],
    [window, 'pageshow'],
    [window, 'online'],
  ] as const) {
    target.addEventListener(
      type,
      (event) => {
        // Back from the service, and nothing came of it: the page had left.
        if (current && !current.popup && (event as PageTransitionEvent).persisted) session.cancel();
        if (document.visibilityState === 'visible') renewal.check();
      },
      { signal: life.signal },
    );
  }
  if (returned) void finishReturned(returned);
  else if (keeper.mayHaveSession) void renewal.renew();

  const session: LoginSession = {
    scopes,
    get snapshot() {
      return snapshot;
    },
    get user() {
      return snapshot.user;
    },
    get memberships() {
      return snapshot.memberships;
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
    fetch: fetchAsUser,
    dispose() {
      endAttempt();
      renewal.stop();
      life.abort();
      keeper.close();
      listeners.clear();
    },
  };
  return session;
}
