import type { TabChannel } from '../browser/tabs.js';
import { LoginError } from '../state/login-failure.js';
import type { SessionResult } from '../state/login-state.js';
import type { SessionProvider } from '../state/session-provider.js';
import type { BackendReader } from './backend-reader.js';

/**
 * Adds the calls that change a backend's session to its reader: the code exchange and the sign-out.
 * @param options.tabs channel for changes of the session. All tabs share its cookie.
 * @param options.receive called when another tab changed the session.
 */
export function createBackendProvider(
  reader: BackendReader,
  { tabs, receive }: { tabs: TabChannel; receive: (result: SessionResult) => void },
): BackendReader & SessionProvider {
  tabs.onmessage = ({ data }) => receive(data);
  const posted = (signal: AbortSignal, body: object) => ({
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  return Object.assign(reader, {
    async exchange({ code, codeVerifier, redirectUri }, signal) {
      const started = await reader.read('exchange', posted(signal, { code, codeVerifier, redirectUri }));
      if (started.type !== 'session-found') throw reader.notTheKit('exchange');
      // Only another request shows whether the browser kept the cookie. During an outage, assume that it did.
      const result = await reader.read('session', { signal }).catch((error) => {
        if (signal.aborted) throw error;
        return started;
      });
      if (result.type !== 'session-found') {
        throw new LoginError(
          'cookies_blocked',
          `The browser did not keep the cookie of ${reader.backend}. It blocks cookies, or a proxy removes Set-Cookie.`,
        );
      }
      tabs.postMessage(result);
      return result.session;
    },

    async signOut(signal) {
      await reader.request('logout', posted(signal, {}));
      reader.hasSignedOut = true;
      tabs.postMessage({ type: 'session-absent' });
    },
  } satisfies Pick<SessionProvider, 'exchange' | 'signOut'>);
}
