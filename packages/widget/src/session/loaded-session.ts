import { OAuthClientError } from '@latchkey/oauth';
import { ownHref } from '../browser/addresses.js';
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

/** The part of a session that loads first, created by `createLoginSession`. */
interface FirstPart {
  /** The session's key, unique among the site's clients. */
  name: string;
  service: TimedService;
  time: TimeSource;
  signIn: SignIn<LoginSessionOptions>;
  renewal: Renewal;
  /** With a backend, a {@link BackendReader}. */
  reader: SessionReader;
  /** Tells the site's other tabs about changes of the session. */
  tabs: TabChannel;
  /** Aborts when the session is disposed. */
  signal: AbortSignal;
}

/** Completes a session with what its {@link FirstPart} leaves out: finishing sign-ins, and keeping tokens. */
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

  /** Applies a change that another tab made. */
  function receive(result: SessionResult): void {
    // Drop a running backend lookup: it's older. A running token refresh must continue, or its tokens are lost.
    if (backend !== undefined) renewal.stop();
    if (result.type === 'session-absent' && !isPending(store.state)) {
      store.dispatch({ type: 'signed-out' });
      // A sign-in may have replaced the session that ended. Ask the backend: the cookie belongs to the newest session.
      if (backend !== undefined) void renewal.renew(true);
    } else store.dispatch(result);
  }

  async function getAccessToken(): Promise<string> {
    if (backend !== undefined) {
      throw new OAuthClientError('invalid_configuration', 'Only the backend has the access token.');
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
      // Drop a lookup that started meanwhile: it may still return the session that just ended. If it found another
      // tab's sign-in instead, that tab's message brings the session.
      if (backend !== undefined && store.state.attempt === attempt) renewal.stop();
      store.dispatch({ type: 'signed-out', attempt });
    },

    async fetch(address: string, init?: RequestInit): Promise<Response> {
      if (!ownHref(address)) {
        throw new OAuthClientError('invalid_configuration', `${address} must be on ${location.origin}.`);
      }
      const send = service.fetch;
      const headers = new Headers(init?.headers);
      if (backend === undefined) headers.set('authorization', `Bearer ${await getAccessToken()}`);
      return send(address, { ...init, headers, redirect: 'manual' });
    },
  };
}

/**
 * Wraps `fetch`. If the page's Content-Security-Policy forbids a request, the error says what to change. A page that was
 * opened with a user and a password in its address has them in all addresses, where `fetch` rejects them.
 * @param send replaces the browser's `fetch`.
 * @param signal stops listening for policy violations.
 */
function policyFetch(send: typeof fetch | undefined, signal: AbortSignal): typeof fetch {
  // A page's policy can't become looser, so what it forbade once stays forbidden.
  // Entries end with a slash, or one origin could be the prefix of another.
  const forbidden = new Set<string>();
  const handle = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce' && effectiveDirective === 'connect-src') forbidden.add(`${blockedURI}/`);
  };
  document.addEventListener('securitypolicyviolation', handle, { signal });
  return async (input, init) => {
    const url = new URL(`${input}`, document.baseURI);
    url.username = url.password = '';
    try {
      return await (send ?? fetch)(url, init);
    } catch (error) {
      const { origin } = url;
      // The browser dispatches the event in a later task.
      await new Promise((resolve) => setTimeout(resolve));
      if (![...forbidden].some((uri) => uri.startsWith(`${origin}/`))) throw error;
      throw new LoginError('misconfigured', `Content-Security-Policy: add ${origin} to connect-src.`);
    }
  };
}
