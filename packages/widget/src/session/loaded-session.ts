import { OAuthClientError } from '@latchkey/oauth';
import type { TabChannel } from '../browser/tabs.js';
import type { TimeSource } from '../browser/wake-up.js';
import type { SignIn } from '../sign-in/sign-in.js';
import { createSignInFlow } from '../sign-in/sign-in-flow.js';
import { isPending, type SessionResult } from '../state/login-state.js';
import '../state/protocol-failure.js';
import { LoginError } from '../state/login-failure.js';
import type { SessionProvider, SessionReader, TimedService } from '../state/session-provider.js';
import { createBackendProvider } from './backend-provider.js';
import type { BackendReader } from './backend-reader.js';
import type { LoginSession, LoginSessionOptions } from './login-session.js';
import type { Renewal } from './renewal.js';
import { createStandaloneProvider } from './standalone-provider.js';

/** The first part of a session. */
interface FirstPart {
  /** Identifies the session among those of the site's other clients. */
  name: string;
  service: TimedService;
  time: TimeSource;
  signIn: SignIn<LoginSessionOptions>;
  renewal: Renewal;
  /** With a backend, a {@link BackendReader}. */
  reader: SessionReader;
  /** Without a backend, tabs tell each other about tokens. */
  tabs: TabChannel;
  /** Aborts with the session. */
  signal: AbortSignal;
}

/** What a session does beyond its {@link FirstPart}: it signs in, and keeps tokens. */
export function loadedSession(session: LoginSession, first: FirstPart) {
  const { name, service, time, signIn, renewal, reader, tabs, signal } = first;
  const { backend, storage = 'memory', returnUrl } = signIn.options;
  const { store } = signIn;
  const canReturn = returnUrl !== undefined;
  service.fetch = policyFetch(signIn.options.fetch, signal);
  const provider: SessionProvider =
    backend === undefined
      ? createStandaloneProvider(service, { storage, name, tabs, canReturn, receive })
      : createBackendProvider(reader as BackendReader, { tabs, receive });
  const flow = createSignInFlow(signIn, { name, service, time, provider, scopes: () => session.scopes });
  signIn.flow = flow;

  /** Takes over what another tab changed. */
  function receive(result: SessionResult): void {
    // A running lookup at the backend is older. A running token refresh continues, because its tokens must not be lost.
    if (backend !== undefined) renewal.stop();
    if (result.type === 'session-absent' && !isPending(store.state)) {
      store.dispatch({ type: 'signed-out' });
      // A sign-in may have replaced the session that this message is about, and the cookie is that of the newest one.
      if (backend !== undefined) void renewal.renew(true);
    } else store.dispatch(result);
  }

  async function getAccessToken(): Promise<string> {
    if (backend !== undefined) {
      throw new OAuthClientError(
        'invalid_configuration',
        "With a backend, the site's server holds the access token.",
      );
    }
    const { session: found } = store.state;
    if (found && time.clock.now() >= found.renewAt) await renewal.renew();
    const token = store.state.session && provider.accessToken?.();
    if (!token) throw new OAuthClientError('invalid_token', 'No user is signed in on this page.');
    return token;
  }

  return {
    flow,
    provider,
    getAccessToken,

    async signOut(attempt: number): Promise<void> {
      renewal.stop();
      await provider.signOut(signal);
      // A lookup at the backend is not newer: its session is the ended one, or that of another tab, which this page looks up
      // after that tab's message.
      if (backend !== undefined && store.state.attempt === attempt) renewal.stop();
      store.dispatch({ type: 'signed-out', attempt });
    },

    async fetch(address: string, init?: RequestInit): Promise<Response> {
      const url = new URL(address, document.baseURI);
      if (url.origin !== location.origin) {
        throw new OAuthClientError(
          'invalid_configuration',
          `The address must be on ${location.origin}; got ${url.origin}.`,
        );
      }
      const send = service.fetch;
      const headers = new Headers(init?.headers);
      if (backend === undefined) headers.set('authorization', `Bearer ${await getAccessToken()}`);
      return send(url, { ...init, headers, redirect: 'manual' });
    },
  };
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
