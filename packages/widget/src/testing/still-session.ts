import type { LoginSession } from '../session/login-session.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';

/** What {@link createStillSession} may be given besides the state. */
export interface StillSessionOptions {
  /** Told the name of every method that something calls, such as `signIn`. */
  onCall?: ((method: string) => void) | undefined;
  /** Answers `session.fetch`, which a gate with `src` calls. Default: an empty 200. */
  fetch?: LoginSession['fetch'] | undefined;
}

/**
 * A session that stays in one state, whatever is asked of it: for a page of every state, a story, or a test of a page's
 * own styles and slots. Give it to an element as its `session`. It opens no window and asks nothing of the network.
 */
export function createStillSession(
  snapshot: SessionSnapshot,
  { onCall = () => {}, fetch = async () => new Response() }: StillSessionOptions = {},
): LoginSession {
  return {
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
      return 'a token that opens nothing';
    },
    fetch(address, init) {
      onCall('fetch');
      return fetch(address, init);
    },
    dispose: () => onCall('dispose'),
  };
}
