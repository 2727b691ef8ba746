import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LoginFailure } from './login-failure.js';
import { createLoginStore, type LoginState, type SignedIn, snapshotOf } from './login-state.js';

const user = { sub: 'u1', email: 'ada@example.com' };
const session: SignedIn = { user, memberships: [], readAt: 1, renewAt: 2, expiresAt: 3, endsAt: 4 };
const failure: LoginFailure = { code: 'misconfigured', during: 'sign-out', message: 'The reason.' };
const checking: LoginState = { status: 'checking', attempt: 0 };

describe('the snapshot of a state', () => {
  it('of a visitor contains the status alone', () => {
    expect(snapshotOf({ status: 'waiting', attempt: 3 })).toStrictEqual({
      status: 'waiting',
      signedIn: false,
    });
  });

  it('of a user contains the user, the memberships and the expiry, and no other field of the session', () => {
    expect(snapshotOf({ status: 'signed-in', attempt: 3, session })).toStrictEqual({
      status: 'signed-in',
      signedIn: true,
      user,
      memberships: [],
      expiresAt: 3,
    });
  });

  it('has no memberships if they are unknown', () => {
    const unknown = { ...session, memberships: undefined };
    expect(snapshotOf({ status: 'signed-in', attempt: 0, session: unknown })).toStrictEqual({
      status: 'signed-in',
      signedIn: true,
      user,
      expiresAt: 3,
    });
  });

  it('contains the failure', () => {
    expect(snapshotOf({ status: 'failed', attempt: 0, failure })).toStrictEqual({
      status: 'failed',
      signedIn: false,
      failure,
    });
  });
});

describe('the store of a session', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('has the snapshot of its first state', () => {
    expect(createLoginStore(checking, () => {}).snapshot).toStrictEqual(snapshotOf(checking));
  });

  it('calls its owner and then each listener, with the new state in place', () => {
    const calls: unknown[] = [];
    const store = createLoginStore(checking, (state, event) => calls.push([state.status, event.type]));
    store.subscribe((snapshot) => calls.push([snapshot, store.snapshot === snapshot, store.state.status]));
    store.dispatch({ type: 'session-absent' });
    const snapshot = { status: 'signed-out', signedIn: false };
    expect(calls).toStrictEqual([
      ['signed-out', 'session-absent'],
      [snapshot, true, 'signed-out'],
    ]);
  });

  it('calls no listener for an event that changes nothing', () => {
    const [onChange, listener] = [vi.fn(), vi.fn()];
    const store = createLoginStore(checking, onChange);
    store.subscribe(listener);
    store.dispatch({ type: 'opened', attempt: 0 });
    expect(onChange).not.toHaveBeenCalled();
    expect(listener).not.toHaveBeenCalled();
  });

  it('does not call a listener that was removed', () => {
    const [removed, kept] = [vi.fn(), vi.fn()];
    const store = createLoginStore(checking, () => {});
    const remove = store.subscribe(removed);
    store.subscribe(kept);
    remove();
    store.dispatch({ type: 'session-absent' });
    expect(removed).not.toHaveBeenCalled();
    expect(kept).toHaveBeenCalledOnce();
  });

  it('calls no listener after it was cleared', () => {
    const listener = vi.fn();
    const store = createLoginStore(checking, () => {});
    store.subscribe(listener);
    store.clear();
    store.dispatch({ type: 'session-absent' });
    expect(listener).not.toHaveBeenCalled();
  });

  it('calls a listener that another one adds only for the next change', () => {
    const late = vi.fn();
    const store = createLoginStore(checking, () => {});
    const remove = store.subscribe(() => {
      store.subscribe(late);
      remove();
    });
    store.dispatch({ type: 'session-absent' });
    expect(late).not.toHaveBeenCalled();
    store.dispatch({ type: 'attempt' });
    expect(late).toHaveBeenCalledOnce();
  });

  it('reports the error of a listener, and calls the others', () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const error = new Error('a bug of the page');
    const listener = vi.fn();
    const store = createLoginStore(checking, () => {});
    store.subscribe(() => {
      throw error;
    });
    store.subscribe(listener);
    store.dispatch({ type: 'session-absent' });
    expect(report).toHaveBeenCalledExactlyOnceWith(error);
    expect(listener).toHaveBeenCalledOnce();
  });

  it('logs a failure that only the owner can fix once, when it appears', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const store = createLoginStore(checking, () => {});
    store.dispatch({ type: 'session-found', session });
    expect(log).not.toHaveBeenCalled();
    store.dispatch({ type: 'sign-out-failed', attempt: 0, failure });
    expect(log).toHaveBeenCalledOnce();
    // A new state with the same failure.
    store.dispatch({ type: 'sign-out-failed', attempt: 0, failure });
    expect(log).toHaveBeenCalledOnce();
  });
});
