import type { LoginSession, SessionSnapshot } from '../../src/core/index.js';
import { ada, community } from './fake-api.js';

/** A session that is in a state because the test says so, and keeps what it was asked to do. */
export function createStubSession(
  snapshot: SessionSnapshot,
  answer: () => Promise<Response> = async () => new Response(),
) {
  const listeners = new Set<(snapshot: SessionSnapshot) => void>();
  const calls: string[] = [];
  let current = snapshot;
  const session: LoginSession = {
    get snapshot() {
      return current;
    },
    get user() {
      return current.user;
    },
    get memberships() {
      return current.memberships;
    },
    fetch: async (address) => {
      calls.push(`fetch ${address}`);
      return answer();
    },
    scopes: ['memberships.read'],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prepare: async () => {},
    signIn: () => void calls.push('signIn'),
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

const signedOut = { signedIn: false } as const;
const failed = (code: string, during = 'sign-in') =>
  ({ status: 'failed', ...signedOut, failure: { code, during, message: 'Why.' } }) as SessionSnapshot;

/** A snapshot for every state of the widget. */
export const SNAPSHOTS = {
  checking: { status: 'checking', ...signedOut },
  'signed out': { status: 'signed-out', ...signedOut },
  opening: { status: 'opening', ...signedOut },
  waiting: { status: 'waiting', ...signedOut },
  exchanging: { status: 'exchanging', ...signedOut },
  expired: { status: 'expired', ...signedOut },
  'signed in': { status: 'signed-in', signedIn: true, user: ada, memberships: [community] },
  'signed in without e-mail or membership': {
    status: 'signed-in',
    signedIn: true,
    user: { sub: ada.sub, email: null },
    memberships: [],
  },
  'signed in, sign-out failed': {
    status: 'signed-in',
    signedIn: true,
    user: ada,
    memberships: [community],
    failure: { code: 'network', during: 'sign-out', message: 'Why.' },
  },
  'popup blocked': failed('popup_blocked'),
  'popup closed': failed('popup_closed'),
  'opener severed': failed('opener_severed'),
  'origin refused': failed('origin_refused'),
  'state mismatch': failed('state_mismatch'),
  declined: failed('access_denied'),
  'code expired': failed('code_expired'),
  'no connection': failed('network'),
  'service error': failed('service_error'),
  'insecure page': failed('insecure_context'),
  misconfigured: failed('misconfigured'),
  'check failed': failed('network', 'check'),
} satisfies Record<string, SessionSnapshot>;
