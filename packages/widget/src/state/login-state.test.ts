import { describe, expect, it } from 'vitest';
import type { LoginFailure } from './login-failure.js';
import { type LoginEvent, type LoginState, type SignedIn, transition } from './login-state.js';

const session: SignedIn = {
  user: { sub: 'a', email: null },
  memberships: [],
  expiresAt: 3,
  renewAt: 2,
  readAt: 1,
  endsAt: 3,
};
const fresh: SignedIn = { ...session, expiresAt: 9 };
const failure = (code: LoginFailure['code'], during: LoginFailure['during'] = 'sign-in'): LoginFailure => ({
  code,
  during,
  message: '',
});

/** Every state, told apart where transitions do. */
const STATES: Record<string, LoginState> = {
  checking: { status: 'checking', attempt: 1 },
  'signed out': { status: 'signed-out', attempt: 1 },
  opening: { status: 'opening', attempt: 1 },
  waiting: { status: 'waiting', attempt: 1 },
  exchanging: { status: 'exchanging', attempt: 1 },
  'signed in': { status: 'signed-in', attempt: 1, session },
  'signed in, sign-out failed': {
    status: 'signed-in',
    attempt: 1,
    session,
    failure: failure('network', 'sign-out'),
  },
  expired: { status: 'expired', attempt: 1 },
  'popup closed': { status: 'failed', attempt: 1, failure: failure('popup_closed') },
  'popup blocked': { status: 'failed', attempt: 1, failure: failure('popup_blocked') },
  'check failed': { status: 'failed', attempt: 1, failure: failure('network', 'check') },
};

const EVENTS: Record<string, LoginEvent> = {
  attempt: { type: 'attempt' },
  opened: { type: 'opened', attempt: 1 },
  answered: { type: 'answered', attempt: 1 },
  completed: { type: 'completed', attempt: 1, session },
  failed: { type: 'failed', attempt: 1, failure: failure('access_denied') },
  cancelled: { type: 'cancelled' },
  'session-found': { type: 'session-found', session: fresh },
  'session-absent': { type: 'session-absent' },
  'session-ended': { type: 'session-ended' },
  check: { type: 'check' },
  'check-failed': { type: 'check-failed', failure: failure('network', 'check') },
  unusable: { type: 'unusable', failure: failure('misconfigured') },
  'signed-out': { type: 'signed-out' },
  'sign-out-failed': { type: 'sign-out-failed', attempt: 1, failure: failure('network', 'sign-out') },
};

/** The next state for each state and event. For pairs without an entry, the state stays the same object. */
const TABLE: Record<string, Record<string, LoginState['status']>> = {
  attempt: {
    checking: 'opening',
    'signed out': 'opening',
    expired: 'opening',
    'popup closed': 'opening',
    'popup blocked': 'opening',
    'check failed': 'opening',
  },
  opened: { opening: 'waiting' },
  answered: { opening: 'exchanging', waiting: 'exchanging', 'popup closed': 'exchanging' },
  completed: { exchanging: 'signed-in' },
  failed: { opening: 'failed', waiting: 'failed', exchanging: 'failed', 'popup closed': 'failed' },
  cancelled: {
    opening: 'signed-out',
    waiting: 'signed-out',
    exchanging: 'signed-out',
    'signed in, sign-out failed': 'signed-in',
    expired: 'signed-out',
    'popup closed': 'signed-out',
    'popup blocked': 'signed-out',
    'check failed': 'signed-out',
  },
  'session-found': {
    checking: 'signed-in',
    'signed out': 'signed-in',
    'signed in': 'signed-in',
    'signed in, sign-out failed': 'signed-in',
    expired: 'signed-in',
    'popup closed': 'signed-in',
    'popup blocked': 'signed-in',
    'check failed': 'signed-in',
  },
  'session-absent': {
    checking: 'signed-out',
    'signed in': 'signed-out',
    'signed in, sign-out failed': 'signed-out',
    'check failed': 'signed-out',
  },
  'session-ended': {
    checking: 'expired',
    'signed in': 'expired',
    'signed in, sign-out failed': 'expired',
    'check failed': 'expired',
  },
  check: { 'check failed': 'checking' },
  'check-failed': { checking: 'failed' },
  unusable: { 'signed out': 'failed' },
  'signed-out': Object.fromEntries(
    Object.keys(STATES)
      .filter((name) => name !== 'signed out')
      .map((name) => [name, 'signed-out']),
  ),
  'sign-out-failed': Object.fromEntries(
    Object.entries(STATES).map(([name, { session: known }]) => [name, known ? 'signed-in' : 'failed']),
  ),
};

describe('the transition function', () => {
  for (const [eventName, event] of Object.entries(EVENTS)) {
    for (const [stateName, state] of Object.entries(STATES)) {
      const expected = TABLE[eventName]?.[stateName];
      it(`${eventName}: ${stateName} → ${expected ?? 'the same'}`, () => {
        const next = transition(state, event);
        if (expected === undefined) expect(next).toBe(state);
        else {
          expect(next).not.toBe(state);
          expect(next.status).toBe(expected);
        }
      });
    }
  }

  it('counts attempts, so that what an earlier one reports is stale', () => {
    const second = transition({ status: 'signed-out', attempt: 1 }, { type: 'attempt' });
    expect(second).toStrictEqual({ status: 'opening', attempt: 2 });
    for (const type of [
      'opened',
      'answered',
      'completed',
      'failed',
      'signed-out',
      'sign-out-failed',
    ] as const) {
      expect(transition(second, { ...EVENTS[type], attempt: 1 } as LoginEvent)).toBe(second);
    }
  });

  it('has a session exactly when signed in, and a failure whenever failed', () => {
    for (const event of Object.values(EVENTS)) {
      for (const state of Object.values(STATES)) {
        const next = transition(state, event);
        expect(next.session !== undefined).toBe(next.status === 'signed-in');
        if (next.status === 'failed') expect(next.failure).not.toBe(undefined);
      }
    }
  });

  it('uses the newer session that was found, and clears an earlier failure', () => {
    const signedIn = STATES['signed in, sign-out failed'] as LoginState;
    expect(transition(signedIn, { type: 'session-found', session: fresh })).toStrictEqual({
      status: 'signed-in',
      attempt: 1,
      session: fresh,
    });
    expect(transition(signedIn, { type: 'cancelled' }).failure).toBe(undefined);
  });
});
