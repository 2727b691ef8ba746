import type { Membership as ListedMembership, UserIdentity } from '@latchkey/oauth';
import { type LoginFailure, logForOwner } from './login-failure.js';

/**
 * The status of a session:
 *
 * - `checking`: the widget looks for an existing session;
 * - `signed-out`: no user is signed in;
 * - `opening`: a popup or a redirect is starting. The popup is empty if the click came before the secrets were ready;
 * - `waiting`: the user is in the popup;
 * - `exchanging`: the code is being redeemed;
 * - `signed-in`: a user is signed in;
 * - `expired`: the session expired;
 * - `failed`: see {@link LoginFailure}.
 */
export type LoginStatus =
  | 'checking'
  | 'signed-out'
  | 'opening'
  | 'waiting'
  | 'exchanging'
  | 'signed-in'
  | 'expired'
  | 'failed';

export interface LoginState {
  readonly status: LoginStatus;
  /** Number of the latest attempt. Events of earlier attempts are ignored. */
  readonly attempt: number;
  /** Present only while signed in. */
  readonly session?: SignedIn;
  /** Present if `status` is `failed`. While signed in, why a sign-out failed. */
  readonly failure?: LoginFailure;
}

export type LoginEvent =
  /** The user starts a sign-in, or with `switches` one to another account. Until it ends, the session is hidden. */
  | { type: 'attempt'; switches?: boolean }
  /** The popup shows the service. */
  | { type: 'opened'; attempt: number }
  /** The popup returned an authorization code. */
  | { type: 'answered'; attempt: number }
  | { type: 'completed'; attempt: number; session: SignedIn }
  | { type: 'failed'; attempt: number; failure: LoginFailure }
  /** The user cancels the attempt, or dismisses a failure. */
  | { type: 'cancelled' }
  /** A session was found, renewed, or lost a membership. */
  | { type: 'session-found'; session: SignedIn }
  | { type: 'session-absent' }
  | { type: 'session-ended' }
  /** A failed session check is repeated. */
  | { type: 'check' }
  | { type: 'check-failed'; failure: LoginFailure }
  /** The page or its configuration makes every sign-in impossible. */
  | { type: 'unusable'; failure: LoginFailure }
  /** `attempt` is absent if another tab signed out. A sign-out on this page doesn't affect a newer attempt. */
  | { type: 'signed-out'; attempt?: number }
  | { type: 'sign-out-failed'; attempt: number; failure: LoginFailure };

const PENDING: readonly LoginStatus[] = ['opening', 'waiting', 'exchanging'];

/** True while an attempt is running. A second click must not start another. */
export function isPending({ status }: { status: LoginStatus }): boolean {
  return PENDING.includes(status);
}

/** Returns the state after an event, or the same object if the event doesn't apply. Pure. */
export function transition(state: LoginState, event: LoginEvent): LoginState {
  const { status, attempt } = state;
  const to = (next: LoginStatus, rest: Partial<LoginState> = {}): LoginState => ({
    status: next,
    attempt,
    ...rest,
  });
  // A response still counts after the popup seemed closed: under COOP, `closed` is true even for an open window.
  const listening = status === 'opening' || status === 'waiting' || state.failure?.code === 'popup_closed';

  const checkFailed = state.failure?.during === 'check';
  const isChecked = status === 'checking' || status === 'signed-in' || checkFailed;

  if ('attempt' in event && event.attempt !== attempt) return state;
  switch (event.type) {
    case 'attempt':
      return isPending(state) || (state.session && !event.switches)
        ? state
        : { status: 'opening', attempt: attempt + 1 };
    case 'opened':
      return status === 'opening' ? to('waiting') : state;
    case 'answered':
      return listening ? to('exchanging') : state;
    case 'completed':
      return status === 'exchanging' ? to('signed-in', { session: event.session }) : state;
    case 'failed':
      return listening || status === 'exchanging' ? to('failed', { failure: event.failure }) : state;
    case 'cancelled':
      if (state.session) return state.failure ? to(status, { session: state.session }) : state;
      return isPending(state) || status === 'failed' || status === 'expired' ? to('signed-out') : state;
    case 'session-found':
      return isPending(state) ? state : to('signed-in', { session: event.session });
    case 'session-absent':
      return isChecked ? to('signed-out') : state;
    case 'session-ended':
      return isChecked ? to('expired') : state;
    case 'check-failed':
      return status === 'checking' ? to('failed', { failure: event.failure }) : state;
    case 'check':
      return checkFailed ? to('checking') : state;
    case 'unusable':
      return status === 'signed-out' ? to('failed', { failure: event.failure }) : state;
    case 'signed-out':
      return status === 'signed-out' ? state : to('signed-out');
    case 'sign-out-failed':
      return { ...state, status: state.session ? status : 'failed', failure: event.failure };
  }
}

/** The public part of a session's state, without tokens. Immutable: each change creates a new object. */
export interface SessionSnapshot {
  readonly status: LoginStatus;
  readonly signedIn: boolean;
  /** Present only while signed in. Store `sub` as the user's key, never `email`. */
  readonly user?: UserIdentity;
  /** Active memberships. Present only while signed in with the scope `memberships.read`. */
  readonly memberships?: readonly Membership[];
  /** When the access token expires, in milliseconds since the epoch. The session refreshes the token in time. */
  readonly expiresAt?: number;
  /** Present if `status` is `failed`. While signed in, why a sign-out failed. */
  readonly failure?: LoginFailure;
}

export function snapshotOf({ status, session, failure }: LoginState): SessionSnapshot {
  return {
    status,
    signedIn: session !== undefined,
    ...(session && { user: session.user, expiresAt: session.expiresAt }),
    ...(session?.memberships && { memberships: session.memberships }),
    ...(failure && { failure }),
  };
}

/** A signed-in user's session. Times are milliseconds since the epoch. */
export interface SignedIn {
  readonly user: UserIdentity;
  /** The active memberships. `undefined` if the scope `memberships.read` wasn't granted. */
  readonly memberships: readonly Membership[] | undefined;
  /** When the memberships were requested. */
  readonly readAt: number;
  /** When the access token expires. */
  readonly expiresAt: number;
  /** When to renew the session. */
  readonly renewAt: number;
  /** When the session counts as expired if it can't be renewed. */
  readonly endsAt: number;
}

/** The result of a session lookup or renewal. */
export type SessionResult = Extract<
  LoginEvent,
  { type: 'session-found' | 'session-absent' | 'session-ended' }
>;

/** An active membership. With a backend, it also has the details from the site's membership directory. */
export interface Membership extends ListedMembership {
  /** True if the directory has the membership. Absent without a backend. The ids below only count if it's true. */
  isKnown?: boolean;
  /** Name to show to the member, if the site's backend sends one. */
  name?: string;
  communityId?: string | null;
  productId?: string | null;
  pricingPlanId?: string | null;
}

type Listener = (snapshot: SessionSnapshot) => void;

export type LoginStore = ReturnType<typeof createLoginStore>;

/**
 * Holds the state of one session and notifies listeners of each change.
 * @param onChange called before the listeners.
 */
export function createLoginStore(
  state: LoginState,
  onChange: (state: LoginState, event: LoginEvent) => void,
) {
  const listeners = new Set<Listener>();
  const store = {
    state,
    snapshot: snapshotOf(state),

    dispatch(event: LoginEvent): void {
      const before = store.state;
      const state = transition(before, event);
      if (state === before) return;
      const snapshot = snapshotOf(state);
      store.state = state;
      store.snapshot = snapshot;
      if (state.failure && state.failure !== before.failure) logForOwner(state.failure);
      onChange(state, event);
      for (const listener of [...listeners]) {
        try {
          listener(snapshot);
        } catch (error) {
          // The other listeners must still be notified.
          reportError(error);
        }
      }
    },

    /** @returns a function that removes the listener. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    clear(): void {
      listeners.clear();
    },
  };
  return store;
}
