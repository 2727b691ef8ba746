import { OAuthClientError } from '@latchkey/oauth';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createScriptedRenewal,
  lost,
  MINUTE,
  pass,
  START,
  sessionAt,
} from '../../test/support/scripted-renewal.js';
import type { SessionResult } from '../state/login-state.js';

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

const signedIn = (start: number): SessionResult => ({ type: 'session-found', session: sessionAt(start) });

describe('the renewal of a session', () => {
  it('starts when it is due, and not before', async () => {
    const { begin, checks } = createScriptedRenewal();
    begin();
    await pass(59 * MINUTE - 1);
    expect(checks()).toStrictEqual([]);
    await pass(1);
    expect(checks()).toStrictEqual([true]);
  });

  it('follows one after the other', async () => {
    const { begin, checks, renew, store } = createScriptedRenewal();
    begin();
    renew.mockImplementation(async () => signedIn(Date.now()));
    await pass(3 * 59 * MINUTE);
    expect(checks()).toStrictEqual([true, true, true]);
    expect(store.state.status).toBe('signed-in');
  });

  it.each([0, 4999, -MINUTE])(
    'that is due after %i milliseconds waits for five seconds, so that it never loops',
    async (after) => {
      const { read, checks } = createScriptedRenewal();
      await read({ renewAt: START + after });
      await pass(4999);
      expect(checks()).toStrictEqual([]);
      await pass(1);
      expect(checks()).toStrictEqual([true]);
    },
  );

  it('keeps its time if the same session is followed again', async () => {
    const { read, checks, renewal } = createScriptedRenewal();
    const session = await read({ renewAt: START });
    await pass(3000);
    renewal.follow(session);
    await pass(2000);
    expect(checks()).toHaveLength(1);
  });

  it('moves with the newer session', async () => {
    const { begin, checks, renew } = createScriptedRenewal();
    begin();
    renew.mockImplementation(async () => signedIn(Date.now()));
    await pass(10 * MINUTE);
    begin();
    await pass(59 * MINUTE - 1);
    expect(checks()).toHaveLength(0);
    await pass(1);
    expect(checks()).toHaveLength(1);
  });

  it('is not due without a session', async () => {
    const { begin, checks, renewal } = createScriptedRenewal();
    begin();
    renewal.follow(undefined);
    expect(vi.getTimerCount()).toBe(0);
    await pass(60 * MINUTE);
    expect(checks()).toStrictEqual([]);
  });

  it('is shared by concurrent calls, and not by a later one', async () => {
    const { renewal, renew } = createScriptedRenewal();
    renew.mockImplementation(async () => signedIn(Date.now()));
    const first = renewal.renew();
    expect(renewal.renew(true)).toBe(first);
    await first;
    expect(renew).toHaveBeenCalledOnce();
    await renewal.renew(true);
    expect(renew).toHaveBeenCalledTimes(2);
    expect(renew).toHaveBeenLastCalledWith(expect.any(AbortSignal), true);
  });

  it('refreshes the tokens unless it is a check', async () => {
    const { renewal, checks } = createScriptedRenewal();
    await renewal.renew();
    await renewal.renew(true);
    expect(checks()).toStrictEqual([false, true]);
  });

  it('ends in the state that the provider returns', async () => {
    const { renewal, renew, store } = createScriptedRenewal();
    renew.mockResolvedValueOnce(signedIn(START));
    await renewal.renew();
    expect(store.state.status).toBe('signed-in');
    renew.mockResolvedValueOnce({ type: 'session-ended' });
    await renewal.renew();
    expect(store.state.status).toBe('expired');
    store.dispatch(signedIn(START));
    renew.mockResolvedValueOnce({ type: 'session-absent' });
    await renewal.renew();
    expect(store.state.status).toBe('signed-out');
  });
});

describe('a renewal that failed', () => {
  it('is tried again after 1, 2, 4 seconds and so on, and each minute at the latest', async () => {
    const { begin, renew } = createScriptedRenewal();
    begin({ renewAt: START + MINUTE, endsAt: START + 60 * MINUTE });
    const times: number[] = [];
    renew.mockImplementation(async () => {
      times.push((Date.now() - START) / 1000 - 60);
      throw lost();
    });
    await pass(5 * MINUTE);
    expect(times).toStrictEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  });

  it('begins with one second again after a success', async () => {
    const { begin, renew } = createScriptedRenewal();
    begin({ renewAt: START + MINUTE });
    await pass(MINUTE + 3000);
    expect(renew).toHaveBeenCalledTimes(3);
    renew.mockImplementationOnce(async () => ({
      type: 'session-found',
      session: sessionAt(Date.now(), { renewAt: Date.now() + MINUTE }),
    }));
    await pass(4000 + MINUTE);
    expect(renew).toHaveBeenCalledTimes(5);
    await pass(1000);
    expect(renew).toHaveBeenCalledTimes(6);
  });

  it('repeats the check that it was', async () => {
    const { begin, renewal, checks } = createScriptedRenewal();
    begin();
    await renewal.renew(true);
    await pass(1000);
    expect(checks()).toStrictEqual([true, true]);
  });

  it('keeps the session until it ends, then tries once more and ends it', async () => {
    const { begin, store, renew } = createScriptedRenewal();
    // Retries after 1 and 3 seconds, and at the end instead of after 7.
    begin({ renewAt: START + MINUTE, endsAt: START + MINUTE + 5000 });
    await pass(MINUTE + 4999);
    expect(renew).toHaveBeenCalledTimes(3);
    expect(store.state.status).toBe('signed-in');
    await pass(1);
    expect(renew).toHaveBeenCalledTimes(4);
    expect(store.state.status).toBe('expired');
    await pass(60 * MINUTE);
    expect(renew).toHaveBeenCalledTimes(4);
  });

  it('without a session is a failed check, and is repeated like every other', async () => {
    const { renewal, store, renew, checks } = createScriptedRenewal();
    await renewal.renew();
    expect(store.state).toMatchObject({ status: 'failed', failure: { code: 'network', during: 'check' } });
    await pass(3000);
    expect(checks()).toStrictEqual([false, true, true]);
    renew.mockImplementation(async () => signedIn(Date.now()));
    await pass(4000);
    expect(store.state.status).toBe('signed-in');
  });

  it('with an answer that is not the backend’s is repeated too: a page of maintenance passes', async () => {
    const { renewal, store, renew } = createScriptedRenewal();
    renew.mockRejectedValueOnce(new OAuthClientError('invalid_configuration', 'Not the kit.'));
    await renewal.renew();
    expect(store.state).toMatchObject({ status: 'failed', failure: { code: 'misconfigured' } });
    renew.mockImplementation(async () => signedIn(Date.now()));
    await pass(1000);
    expect(store.state.status).toBe('signed-in');
  });

  it('is not repeated while the user signs in, which ends with a read of its own', async () => {
    const { renewal, store, renew } = createScriptedRenewal();
    await renewal.renew();
    store.dispatch({ type: 'attempt' });
    await pass(60 * MINUTE);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('cancels the timer that was set before', async () => {
    const { begin, renewal, renew } = createScriptedRenewal();
    begin({ renewAt: START + 1500 });
    await renewal.renew();
    await pass(2999);
    expect(renew).toHaveBeenCalledTimes(2);
    await pass(1);
    expect(renew).toHaveBeenCalledTimes(3);
  });
});

describe('a renewal that was stopped', () => {
  it.each<[string, () => Promise<SessionResult>]>([
    ['result', async () => signedIn(START)],
    [
      'failure',
      async () => {
        throw lost();
      },
    ],
  ])('aborts its request and ignores the %s', async (_, end) => {
    const { renewal, renew, store } = createScriptedRenewal();
    const response = Promise.withResolvers<void>();
    renew.mockImplementationOnce(() => response.promise.then(end));
    const running = renewal.renew();
    const before = store.state;
    renewal.stop();
    expect(renew.mock.calls[0]?.[0].aborted).toBe(true);
    response.resolve();
    await running;
    expect(store.state).toBe(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cancels the timers of the session', () => {
    const { begin, renewal } = createScriptedRenewal();
    begin();
    renewal.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be started again at once, and its late end does not disturb the newer one', async () => {
    const { renewal, renew, store } = createScriptedRenewal();
    const [older, newer] = [Promise.withResolvers<SessionResult>(), Promise.withResolvers<SessionResult>()];
    renew.mockReturnValueOnce(older.promise).mockReturnValueOnce(newer.promise);
    const first = renewal.renew();
    renewal.stop();
    const second = renewal.renew();
    expect(second).not.toBe(first);
    older.resolve(signedIn(START));
    await first;
    expect(renewal.renew()).toBe(second);
    newer.resolve({ type: 'session-absent' });
    await second;
    expect(store.state.status).toBe('signed-out');
    expect(renew).toHaveBeenCalledTimes(2);
  });
});
