import type { LoginSession } from '../session/login-session.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';

/** Options of {@link createStillSession}. */
export interface StillSessionOptions {
  /** Called with the name of each method that is called, such as `signIn`. */
  onCall?: ((method: string) => void) | undefined;
  /** Path of a backend. A gate with `community`, `product` or `plan` needs one. */
  backend?: string | undefined;
  /**
   * Implements `session.fetch`, which a gate with `src` calls.
   * @default returns an empty HTML response with status 200
   */
  fetch?: LoginSession['fetch'] | undefined;
}

/**
 * Creates a session that stays in one state. Assign it to an element's `session` in a story or in a test of a page's own
 * styles and slots. It opens no window and sends no request.
 */
export function createStillSession(
  snapshot: SessionSnapshot,
  { onCall = () => {}, backend, fetch = emptyPage }: StillSessionOptions = {},
): LoginSession {
  return {
    backend,
    snapshot,
    user: snapshot.user,
    memberships: snapshot.memberships,
    scopes: ['memberships.read'],
    subscribe: () => () => {},
    prepare: async () => {},
    signIn: () => onCall('signIn'),
    cancel: () => onCall('cancel'),
    signOut: async () => onCall('signOut'),
    refresh: async () => onCall('refresh'),
    async getAccessToken() {
      onCall('getAccessToken');
      return 'invalid-token';
    },
    fetch(address, init) {
      onCall('fetch');
      return fetch(address, init);
    },
    dispose: () => onCall('dispose'),
  };
}

async function emptyPage(): Promise<Response> {
  return new Response('', { headers: { 'content-type': 'text/html' } });
}
