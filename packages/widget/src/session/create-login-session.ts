import { OAuthClientError, type OAuthService } from '@latchkey/oauth';
import { type ReturnedResponse, takeReturned } from '../sign-in/redirect-sign-in.js';
import { SignIn } from '../sign-in/sign-in.js';
import { failureOf, type LoginFailure } from '../state/login-failure.js';
import { isPending, type LoginState } from '../state/login-state.js';
import { LoginStore } from '../state/login-store.js';
import type { SessionResult } from '../state/signed-in.js';
import { takeValue, writeValue } from '../tabs/web-storage.js';
import { systemTime, type TimeSource } from '../time/wake-up.js';
import { authorizedFetch } from './authorized-fetch.js';
import { BackendProvider, backendUrl } from './backend-provider.js';
import type { LoginSession, LoginSessionOptions } from './login-session.js';
import { Renewal } from './renewal.js';
import type { SessionProvider } from './session-provider.js';
import { StandaloneProvider } from './standalone-provider.js';

/**
 * Creates a session. It restores the session that the browser or the site's server holds, or finishes a sign-in by
 * redirect.
 */
export function createLoginSession(options: LoginSessionOptions): LoginSession {
  const core = new SessionCore(options);
  const { store, signIn, renewal } = core;
  core.start();
  return {
    get scopes() {
      return core.scopes;
    },
    set scopes(scopes) {
      core.scopes = scopes;
    },
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
    prepare: () => signIn.prepare(),
    signIn: () => signIn.start(),
    cancel: () => core.cancel(),
    signOut: () => core.signOut(),
    refresh() {
      store.dispatch({ type: 'check' });
      return renewal.renew();
    },
    getAccessToken: () => core.getAccessToken(),
    fetch: (address, init) => core.fetch(address, init),
    dispose: () => core.dispose(),
  };
}

/** Composes sign-in, renewal, the provider of the session, and the tabs that share it. */
class SessionCore {
  readonly store: LoginStore;
  readonly signIn: SignIn;
  readonly renewal: Renewal;
  scopes: readonly string[];
  readonly #options: LoginSessionOptions;
  readonly #time: TimeSource;
  readonly #provider: SessionProvider;
  readonly #returned: ReturnedResponse | undefined;
  readonly #lifetime = new AbortController();

  constructor(options: LoginSessionOptions) {
    const { clientId, serviceUrl, backend } = options;
    this.#options = options;
    this.scopes = options.scopes ?? ['memberships.read'];
    this.#time = {
      clock: options.clock ?? systemTime.clock,
      timers: options.timers ?? systemTime.timers,
    };
    const service = { clientId, serviceUrl, fetch: options.fetch, clock: this.#time.clock };
    const name = `latchkey:${clientId}@${backend ?? serviceUrl}`;
    const failure = takeValue(`${name}:failure`) as LoginFailure | undefined;
    this.#returned = backend === undefined ? takeReturned(`${name}:redirect`) : undefined;
    this.#provider = this.#createProvider(service, name);
    this.store = new LoginStore(this.#initialState(failure), ({ session }) => this.renewal.follow(session));
    this.renewal = new Renewal(this.#provider, this.#time, this.store.dispatch);
    this.signIn = this.#createSignIn(service, name);
  }

  /** Connects the session to other tabs and to the page, and finishes or restores the user's session. */
  start(): void {
    this.#provider.listen((result) => this.#receive(result));
    for (const [target, type] of [
      [document, 'visibilitychange'],
      [window, 'pageshow'],
      [window, 'online'],
    ] as const) {
      const { signal } = this.#lifetime;
      target.addEventListener(type, (event) => this.#handlePageEvent(event), { signal });
    }
    if (this.#returned) void this.signIn.resume(this.#returned);
    else if (this.#provider.mayHaveSession) void this.renewal.renew();
  }

  cancel(): void {
    this.signIn.end();
    this.store.dispatch({ type: 'cancelled' });
  }

  async signOut(): Promise<void> {
    this.signIn.end();
    this.renewal.stop();
    try {
      await this.#provider.signOut(this.#lifetime.signal);
    } catch (error) {
      this.renewal.follow(this.store.state.session);
      this.store.dispatch({ type: 'sign-out-failed', failure: failureOf(error, 'sign-out') });
      return;
    }
    this.store.dispatch({ type: 'signed-out' });
    void this.signIn.prepare();
  }

  async getAccessToken(): Promise<string> {
    if (this.#options.backend !== undefined) {
      throw new OAuthClientError(
        'invalid_configuration',
        "In backend mode the site's server holds the access token. Request an address of the site instead.",
      );
    }
    const { session } = this.store.state;
    if (session && this.#time.clock.now() >= session.renewAt) await this.renewal.renew();
    const token = this.store.state.session && this.#provider.accessToken();
    if (!token) throw new OAuthClientError('invalid_token', 'No user is signed in on this page.');
    return token;
  }

  fetch(address: string, init?: RequestInit): Promise<Response> {
    const { backend, fetch } = this.#options;
    const accessToken = backend === undefined ? () => this.getAccessToken() : undefined;
    return authorizedFetch(address, init, { accessToken, fetch });
  }

  dispose(): void {
    this.signIn.end();
    this.renewal.stop();
    this.#lifetime.abort();
    this.#provider.close();
    this.store.clear();
  }

  #createProvider(service: OAuthService, name: string): SessionProvider {
    const { backend, storage = 'memory', fetch } = this.#options;
    const { clock } = this.#time;
    return backend === undefined
      ? new StandaloneProvider({ service, clock, storage, name })
      : new BackendProvider({ backend, clock, fetch, name });
  }

  #createSignIn(service: OAuthService, name: string): SignIn {
    const { backend, mode, callbackUrl, returnUrl } = this.#options;
    return new SignIn({
      service,
      time: this.#time,
      store: this.store,
      mode,
      callbackUrl,
      returnUrl,
      redirectName: `${name}:redirect`,
      backendLoginUrl: backend === undefined ? undefined : () => loginUrl(backend),
      scopes: () => this.scopes,
      redeem: async (grant, signal) => {
        const session = await this.#provider.exchange(grant, signal);
        // The result of a renewal that is still running is older than this session.
        if (!signal.aborted) this.renewal.stop();
        return session;
      },
      saveForNextPage: () => {
        const { failure } = this.store.state;
        if (failure) writeValue('session', `${name}:failure`, failure);
        else this.#provider.saveForNextPage();
      },
    });
  }

  #initialState(failure: LoginFailure | undefined): LoginState {
    if (this.#returned) return { status: 'exchanging', attempt: 0 };
    if (failure) return { status: 'failed', failure, attempt: 0 };
    return { status: this.#provider.mayHaveSession ? 'checking' : 'signed-out', attempt: 0 };
  }

  /** Applies a change that another tab made. */
  #receive(result: SessionResult): void {
    // A running lookup at the backend is older. A running token refresh continues, because its tokens must not be lost.
    if (this.#options.backend !== undefined) this.renewal.stop();
    if (result.kind === 'signed-out' && !isPending(this.store.state)) {
      this.store.dispatch({ type: 'signed-out' });
    } else this.renewal.publish(result);
  }

  #handlePageEvent(event: Event): void {
    // The visitor came back without a response after a redirect.
    if (this.signIn.isLeaving && (event as PageTransitionEvent).persisted) this.cancel();
    if (document.visibilityState === 'visible') this.renewal.check();
  }
}

/** Returns the address of the kit that signs in and returns to this page. */
function loginUrl(backend: string): string {
  const { pathname, search, hash } = location;
  return `${backendUrl(backend, 'login')}?returnTo=${encodeURIComponent(pathname + search + hash)}`;
}
