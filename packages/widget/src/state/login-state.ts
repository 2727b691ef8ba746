import type { LoginFailure } from './login-failure.js';
import type { SignedIn } from './signed-in.js';

/**
 * The status of a session:
 *
 * - `checking`: the widget looks for an existing session;
 * - `signed-out`: no user is signed in;
 * - `opening`: the popup is open but has no address yet, because the click came before the secrets were ready;
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
  /** Present if `status` is `failed`. While signed in, the reason why a sign-out failed. */
  readonly failure?: LoginFailure;
}

export type LoginEvent =
  /** The user starts a sign-in. */
  | { type: 'attempt' }
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
  /** `attempt` is absent if another tab signed out. A sign-out of this page leaves a newer attempt alone. */
  | { type: 'signed-out'; attempt?: number }
  | { type: 'sign-out-failed'; attempt: number; failure: LoginFailure };

const PENDING: readonly LoginStatus[] = ['opening', 'waiting', 'exchanging'];

/** True if an attempt is running. A second click must not disturb it. */
export function isPending({ status }: { status: LoginStatus }): boolean {
  return PENDING.includes(status);
}

/** Returns the state after an event. An event that does not apply returns the same object. Pure. */
export function transition(state: LoginState, event: LoginEvent): LoginState {
  const { status, attempt } = state;
  const to = (next: LoginStatus, rest: Partial<LoginState> = {}): LoginState => ({
    status: next,
    attempt,
    ...rest,
  });
  // A response still counts after the popup read as closed: under COOP, `closed` is true for an open window.
  const listening = status === 'opening' || status === 'waiting' || state.failure?.code === 'popup_closed';

  const checkFailed = state.failure?.during === 'check';
  const isChecked = status === 'checking' || status === 'signed-in' || checkFailed;

  if ('attempt' in event && event.attempt !== attempt) return state;
  switch (event.type) {
    case 'attempt':
      return isPending(state) || status === 'signed-in' ? state : { status: 'opening', attempt: attempt + 1 };
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
