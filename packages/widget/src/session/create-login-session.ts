import { OAuthClientError } from '@latchkey/oauth';
import { type ReturnedResponse, takeFailure, takeReturned } from '../sign-in/redirect-sign-in.js';
import { SignIn } from '../sign-in/sign-in.js';
import { failureOf, type LoginFailure } from '../state/login-failure.js';
import { isPending, type LoginState } from '../state/login-state.js';
import { LoginStore } from '../state/login-store.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';
import type { SessionResult } from '../state/signed-in.js';
import type { TimeSource } from '../time/wake-up.js';
import { BackendProvider } from './backend-provider.js';
import type { LoginSession, LoginSessionOptions } from './login-session.js';
import { policyFetch } from './policy-fetch.js';
import { Renewal } from './renewal.js';
import type { SessionProvider, TimedService } from './session-provider.js';
import { StandaloneProvider } from './standalone-provider.js';

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

  /** Applies a change that another tab made. */
  #receive(result: SessionResult): void {
    // A running lookup at the backend is older. A running token refresh continues, because its tokens must not be lost.
    if (this.backend !== undefined) this.#renewal.stop();
    if (result.kind === 'signed-out' && !isPending(this.#store.state)) {
      this.#store.dispatch({ type: 'signed-out' });
      // A sign-in may have replaced the session that this message is about, and the cookie is that of the newest one.
      if (this.backend !== undefined) void this.#renewal.renew(true);
    } else this.#renewal.publish(result);
  }

  #listenToPage(): void {
    const handle = (event: Event) => {
      // The visitor came back without a response after a redirect.
      if (this.#signIn.isLeaving && (event as PageTransitionEvent).persisted) this.cancel();
      if (document.visibilityState === 'visible') this.#renewal.check(event.type !== 'online');
    };
    const { signal } = this.#lifetime;
    document.addEventListener('visibilitychange', handle, { signal });
    addEventListener('pageshow', handle, { signal });
    addEventListener('online', handle, { signal });
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
