import { type Clock, OAuthClientError } from '@latchkey/oauth';
import type { Timers, TimeSource } from '../browser/wake-up.js';
import { type ReturnedResponse, takeFailure, takeReturned } from '../sign-in/redirect.js';
import type { SignInOptions } from '../sign-in/request.js';
import { SignIn } from '../sign-in/sign-in.js';
import { failureOf, LoginError, type LoginFailure } from '../state/login-failure.js';
import {
  isPending,
  type LoginState,
  LoginStore,
  type SessionResult,
  type SessionSnapshot,
} from '../state/login-state.js';
import type { SessionProvider, TimedService } from '../state/session-provider.js';
import { BackendProvider } from './backend-provider.js';
import { Renewal } from './renewal.js';
import { StandaloneProvider } from './standalone-provider.js';
import type { TokenStorage } from './token-store.js';

/** The settings of a session. */
export interface LoginSessionOptions extends SignInOptions {
  /** Id of the public client: `oac_` and 24 hex characters. */
  clientId: string;
  /** Base URL of the service. */
  serviceUrl: string;
  /**
   * Scopes that a sign-in requests.
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
  /** The element that shows the states of this session. Elements set it, so that a page shows each state once. */
  shownBy?: (Element & { requestUpdate(): void }) | undefined;
  /** Scopes that the next sign-in requests. */
  scopes: readonly string[];
  /**
   * Calls the listener with the new snapshot after each change.
   * @returns a function that removes the listener.
   */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /**
   * Prepares the secrets of the next attempt, so that a click opens the popup at the service at once. Loads the part of the
   * widget that signs in, if the page does not have it yet. Makes no other request.
   */
  prepare(): Promise<void>;
  /**
   * Opens the popup, or leaves the page for a redirect. Call it synchronously in a click. While a popup is open, focuses
   * it. Never throws: snapshots report the result.
   */
  signIn(): void;
  /**
   * Signs in with another account, which the visitor chooses at the service. Call it like `signIn()`. The session is hidden meanwhile, and
   * comes back if the attempt ends without a result. A service that doesn't know the request may sign the same user in again.
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
   * Requests an address of this site as the signed-in user: with the access token, or with the cookie in backend mode.
   * Does not follow redirects.
   *
   * @throws OAuthClientError `invalid_configuration` for an address of another site, which must not receive the token;
   * `invalid_token` if no user is signed in. TypeError for the same reasons as `fetch`.
   */
  fetch(address: string, init?: RequestInit): Promise<Response>;
  /** Stops all timers, listeners and requests of the session. */
  dispose(): void;
}

/**
 * Creates a session. It restores the session that the browser or the site's server holds, or finishes a sign-in by
 * redirect.
 */
export function createLoginSession(options: LoginSessionOptions): LoginSession {
  return new ComposedSession(options);
}

/** Composes sign-in, renewal, the provider of the session, and the tabs that share it. Methods need no `this`. */
class ComposedSession implements LoginSession {
  scopes: readonly string[];
  readonly #options: LoginSessionOptions;
  readonly #fetch: typeof fetch;
  readonly #time: TimeSource;
  readonly #provider: SessionProvider;
  readonly #store: LoginStore;
  readonly #renewal: Renewal;
  readonly #signIn: SignIn;
  readonly #lifetime = new AbortController();

  constructor(options: LoginSessionOptions) {
    const { clientId, serviceUrl, backend, fetch, scopes = ['memberships.read'] } = options;
    const { clock = Date, timers = globalThis } = options;
    const time = { clock, timers };
    this.#fetch = policyFetch(fetch, this.#lifetime.signal);
    const service = { clientId, serviceUrl, fetch: this.#fetch, clock };
    const name = `latchkey:${clientId}@${backend ?? serviceUrl}`;
    const returned = backend === undefined ? takeReturned(name) : undefined;
    // Only a redirect leaves a failure for this page. Reading sessionStorage delays a page, so others do not.
    const failure = options.returnUrl === undefined ? undefined : takeFailure(name);
    this.#options = options;
    this.#time = time;
    this.scopes = scopes;
    const provider = createProvider(options, service, name);
    this.#provider = provider;
    this.#store = new LoginStore(initialState(failure, provider, returned), ({ session }, { type }) => {
      // The result of a renewal that is still running is older than a completed sign-in.
      if (type === 'completed') this.#renewal.stop();
      this.#renewal.follow(session);
      // An attempt hides the session of the stored tokens. Another tab may also have signed in meanwhile.
      if (provider.mayHaveSession && (type === 'failed' || type === 'cancelled'))
        void this.#renewal.renew(true);
    });
    this.#renewal = new Renewal(provider, time, this.#store);
    this.#signIn = new SignIn(
      options,
      { name, service, time, provider, scopes: () => this.scopes },
      this.#store,
    );
    provider.listen((result) => this.#receive(result));
    this.#listenToPage();
    if (returned) void this.#signIn.resume(returned);
    else if (provider.mayHaveSession) void this.#renewal.renew();
  }

  get backend(): string | undefined {
    return this.#options.backend;
  }

  get snapshot(): SessionSnapshot {
    return this.#store.snapshot;
  }

  get user(): SessionSnapshot['user'] {
    return this.snapshot.user;
  }

  get memberships(): SessionSnapshot['memberships'] {
    return this.snapshot.memberships;
  }

  readonly subscribe = (listener: (snapshot: SessionSnapshot) => void) => this.#store.subscribe(listener);

  readonly prepare = () => this.#signIn.prepare();

  readonly signIn = () => this.#signIn.start();

  readonly switchAccount = () => this.#signIn.start(true);

  readonly cancel = () => {
    this.#signIn.end();
    this.#store.dispatch({ type: 'cancelled' });
  };

  readonly signOut = async () => {
    this.#signIn.end();
    this.#renewal.stop();
    const store = this.#store;
    const { attempt } = store.state;
    // The user may have started a sign-in since. It is newer than this sign-out, so the attempt is part of both events.
    try {
      await this.#provider.signOut(this.#lifetime.signal);
      // A lookup at the backend is not newer: its session is the ended one, or that of another tab, which this page looks up
      // after that tab's message.
      if (this.backend !== undefined && store.state.attempt === attempt) this.#renewal.stop();
      store.dispatch({ type: 'signed-out', attempt });
    } catch (error) {
      store.dispatch({ type: 'sign-out-failed', attempt, failure: failureOf(error, 'sign-out') });
    }
    void this.prepare();
  };

  readonly refresh = () => {
    this.#store.dispatch({ type: 'check' });
    return this.#renewal.renew();
  };

  readonly getAccessToken = async () => {
    if (this.backend !== undefined) {
      throw new OAuthClientError(
        'invalid_configuration',
        "With a backend, the site's server holds the access token.",
      );
    }
    const { session } = this.#store.state;
    if (session && this.#time.clock.now() >= session.renewAt) await this.#renewal.renew();
    const token = this.#store.state.session && this.#provider.accessToken();
    if (!token) throw new OAuthClientError('invalid_token', 'No user is signed in on this page.');
    return token;
  };

  readonly fetch = async (address: string, init?: RequestInit) => {
    const url = new URL(address, document.baseURI);
    if (url.origin !== location.origin) {
      throw new OAuthClientError(
        'invalid_configuration',
        `The address must be on ${location.origin}; got ${url.origin}.`,
      );
    }
    const send = this.#fetch;
    const headers = new Headers(init?.headers);
    if (this.backend === undefined) headers.set('authorization', `Bearer ${await this.getAccessToken()}`);
    return send(url, { ...init, headers, redirect: 'manual' });
  };

  readonly dispose = () => {
    this.#signIn.end();
    this.#renewal.stop();
    this.#lifetime.abort();
    this.#provider.close();
    this.#store.clear();
  };

  #receive(result: SessionResult): void {
    // A running lookup at the backend is older. A running token refresh continues, because its tokens must not be lost.
    if (this.backend !== undefined) this.#renewal.stop();
    if (result.type === 'session-absent' && !isPending(this.#store.state)) {
      this.#store.dispatch({ type: 'signed-out' });
      // A sign-in may have replaced the session that this message is about, and the cookie is that of the newest one.
      if (this.backend !== undefined) void this.#renewal.renew(true);
    } else this.#store.dispatch(result);
  }

  #listenToPage(): void {
    const handle = ({ type, persisted }: PageTransitionEvent) => {
      const isShown = type !== 'pageshow' && document.visibilityState === 'visible';
      if (persisted || isShown) this.#renewal.check(type !== 'visibilitychange');
      // The visitor came back without a response after a redirect.
      if (this.#signIn.isLeaving && persisted) this.cancel();
    };
    const { signal } = this.#lifetime;
    document.addEventListener('visibilitychange', handle as EventListener, { signal });
    addEventListener('pageshow', handle, { signal });
    addEventListener('online', handle as EventListener, { signal });
  }
}

function createProvider(options: LoginSessionOptions, service: TimedService, name: string): SessionProvider {
  const { backend, storage = 'memory', returnUrl } = options;
  return backend === undefined
    ? new StandaloneProvider(service, { storage, name, canReturn: returnUrl !== undefined })
    : new BackendProvider(service, backend, name);
}

function initialState(
  failure: LoginFailure | undefined,
  { mayHaveSession }: SessionProvider,
  returned: ReturnedResponse | undefined,
): LoginState {
  if (returned) return { status: 'exchanging', attempt: 0 };
  if (failure) return { status: 'failed', failure, attempt: 0 };
  return { status: mayHaveSession ? 'checking' : 'signed-out', attempt: 0 };
}

/**
 * Wraps `fetch`, so that a request that the page's Content-Security-Policy forbids fails with the setting to change.
 * @param send replaces the browser's `fetch`.
 * @param signal ends the wrapper's work.
 */
function policyFetch(send: typeof fetch | undefined, signal: AbortSignal): typeof fetch {
  // A page's policy never changes, so a request that it forbade once stays forbidden.
  // Each entry ends with a slash, so that an origin is not the beginning of another one.
  const forbidden = new Set<string>();
  const handle = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce' && effectiveDirective === 'connect-src') forbidden.add(`${blockedURI}/`);
  };
  document.addEventListener('securitypolicyviolation', handle, { signal });
  return async (input, init) => {
    try {
      return await (send ?? fetch)(input, init);
    } catch (error) {
      const { origin } = new URL(`${input}`, document.baseURI);
      // The event follows in a later task.
      await new Promise((resolve) => setTimeout(resolve));
      if (![...forbidden].some((uri) => uri.startsWith(`${origin}/`))) throw error;
      throw new LoginError('misconfigured', `Content-Security-Policy: add ${origin} to connect-src.`);
    }
  };
}
