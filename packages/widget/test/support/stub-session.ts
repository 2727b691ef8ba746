import type { LoginSession, SessionSnapshot } from '../../src/session/index.js';

/** A session that is in a state because the test says so, and keeps what it was asked to do. */
export function createStubSession(
  snapshot: SessionSnapshot,
  answer: (init?: RequestInit) => Promise<Response> = async () => new Response(),
  backend?: string,
) {
  const listeners = new Set<(snapshot: SessionSnapshot) => void>();
  const calls: string[] = [];
  let current = snapshot;
  const session: LoginSession = {
    backend,
    get snapshot() {
      return current;
    },
    get user() {
      return current.user;
    },
    get memberships() {
      return current.memberships;
    },
    fetch: async (address, init) => {
      calls.push(`fetch ${address}`);
      return await answer(init);
    },
    scopes: ['memberships.read'],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prepare: async () => {},
    signIn: () => void calls.push('signIn'),
    switchAccount: () => void calls.push('switchAccount'),
    cancel: () => void calls.push('cancel'),
    signOut: async () => void calls.push('signOut'),
    refresh: async () => void calls.push('refresh'),
    getAccessToken: async () => 'token',
    dispose: () => {},
  };
  return {
    session,
    calls,
    listeners,
    become(next: SessionSnapshot) {
      current = next;
      for (const listener of [...listeners]) listener(next);
    },
  };
}
