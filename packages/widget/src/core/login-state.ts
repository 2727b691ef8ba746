import type { LoginFailure } from './login-failure.js';
import type { SignedIn } from './session-keeper.js';

/**
 * Where a session stands. `checking`: the site's backend was asked whether it has one; `opening`: the click came before
 * the popup could be given its address; `waiting`: the user is in the popup; `exchanging`: the code is being redeemed;
 * `failed`: see {@link LoginFailure}; `expired`: the session ended by itself.
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
  /** Number of the latest attempt; what an earlier one reports is stale. */
  readonly attempt: number;
  /** Only when signed in. */
  readonly session?: SignedIn;
  /** Always when failed; when signed in, why signing out did not work. */
  readonly failure?: LoginFailure;
}

export type LoginEvent =
  /** The user asks to sign in. */
  | { type: 'attempt' }
  /** The popup shows the service. */
  | { type: 'opened'; attempt: number }
  /** The popup brought an authorization code. */
  | { type: 'answered'; attempt: number }
  | { type: 'completed'; attempt: number; session: SignedIn }
  | { type: 'failed'; attempt: number; failure: LoginFailure }
  /** The user no longer wants to sign in, or has read the failure. */
  | { type: 'cancelled' }
  /** The keeper has a session: found at the start, renewed, or with fewer memberships than before. */
  | { type: 'session-found'; session: SignedIn }
  | { type: 'session-absent' }
  | { type: 'session-ended' }
  /** The keeper is asked again after it could not be. */
  | { type: 'check' }
  | { type: 'check-failed'; failure: LoginFailure }
  /** No attempt can be made at all: the page or the configuration forbids it. */
  | { type: 'unusable'; failure: LoginFailure }
  | { type: 'signed-out' }
  | { type: 'sign-out-failed'; failure: LoginFailure };

const UNDER_WAY: readonly LoginStatus[] = ['opening', 'waiting', 'exchanging'];

/** Whether an attempt runs that a second click must not disturb. */
export function isUnderWay({ status }: { status: LoginStatus }): boolean {
  return UNDER_WAY.includes(status);
}

/** Pure: what an event makes of a state. An event that means nothing in a state gives back the same object. */
export function transition(state: LoginState, event: LoginEvent): LoginState {
  const { status, attempt } = state;
  const to = (next: LoginStatus, rest: Partial<LoginState> = {}): LoginState => ({
    status: next,
    attempt,
    ...rest,
  });
  // An answer after the popup seemed closed still counts: under COOP `closed` reads true on a live window.
  const listening =
    status === 'opening' ||
    status === 'waiting' ||
    (status === 'failed' && state.failure?.code === 'popup_closed');

  const failedCheck = state.failure?.during === 'check';
  const isLookedAt = status === 'checking' || status === 'signed-in' || failedCheck;

  if ('attempt' in event && event.attempt !== attempt) return state;
  switch (event.type) {
    case 'attempt':
      return isUnderWay(state) || status === 'signed-in'
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
      return isUnderWay(state) || status === 'failed' || status === 'expired' ? to('signed-out') : state;
    case 'session-found':
      return isUnderWay(state) ? state : to('signed-in', { session: event.session });
    case 'session-absent':
      return isLookedAt ? to('signed-out') : state;
    case 'session-ended':
      return isLookedAt ? to('expired') : state;
    case 'check-failed':
      return status === 'checking' ? to('failed', { failure: event.failure }) : state;
    case 'check':
      return failedCheck ? to('checking') : state;
    case 'unusable':
      return status === 'signed-out' ? to('failed', { failure: event.failure }) : state;
    case 'signed-out':
      return status === 'signed-out' ? state : to('signed-out');
    case 'sign-out-failed':
      return { ...state, status: state.session ? status : 'failed', failure: event.failure };
  }
}
