import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createScriptedRenewal,
  MINUTE,
  membershipUntil,
  pass,
  START,
  sessionAt,
  sleep,
} from '../../test/support/scripted-renewal.js';
import type { SignedIn } from '../state/login-state.js';

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

describe('a page that is shown again', () => {
  it('reads the session again, at the earliest 5 seconds after it was read', async () => {
    const { begin, renewal, checks } = createScriptedRenewal();
    begin();
    sleep(4999);
    renewal.check(true);
    expect(checks()).toStrictEqual([]);
    sleep(1);
    renewal.check(true);
    expect(checks()).toStrictEqual([true]);
  });

  it('waits 5 seconds after a check that failed', async () => {
    const { begin, renewal, renew } = createScriptedRenewal();
    begin({ endsAt: START + MINUTE });
    sleep(10_000);
    await renewal.renew(true);
    renewal.stop();
    renewal.follow(sessionAt(START));
    sleep(4999);
    renewal.check(true);
    expect(renew).toHaveBeenCalledTimes(1);
    sleep(1);
    renewal.check(true);
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('reads nothing without a session', () => {
    const { renewal, renew } = createScriptedRenewal();
    sleep(MINUTE);
    renewal.check(true);
    expect(renew).not.toHaveBeenCalled();
  });

  it('repeats a check that failed without a session', async () => {
    const { renewal, renew } = createScriptedRenewal();
    await renewal.renew();
    sleep(5000);
    renewal.check(true);
    expect(renew).toHaveBeenCalledTimes(2);
  });
});

describe('a page whose network is back', () => {
  it('reads the session if it is due, and not before', () => {
    const { begin, renewal, checks } = createScriptedRenewal();
    begin();
    sleep(59 * MINUTE - 1);
    renewal.check(false);
    expect(checks()).toStrictEqual([]);
    sleep(1);
    renewal.check(false);
    expect(checks()).toStrictEqual([true]);
  });

  it('repeats a failed check at once, and not after a success', async () => {
    const { renewal, renew } = createScriptedRenewal();
    await renewal.renew();
    renew.mockImplementation(async () => ({ kind: 'signed-in', session: sessionAt(Date.now()) }));
    renewal.check(false);
    await pass(0);
    expect(renew).toHaveBeenCalledTimes(2);
    renewal.check(false);
    await pass(0);
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('does not repeat a failed check that was stopped since', async () => {
    const { renewal, renew } = createScriptedRenewal();
    await renewal.renew();
    renewal.stop();
    renewal.check(false);
    expect(renew).toHaveBeenCalledOnce();
  });
});

describe('a membership', () => {
  const publish = (fields: Partial<SignedIn>) => {
    const scripted = createScriptedRenewal();
    scripted.begin(fields);
    return scripted;
  };

  it('is removed when it expires, without a request', async () => {
    const memberships = [
      membershipUntil('short', 1000),
      membershipUntil('long', 2000),
      membershipUntil('lifetime', null),
    ];
    const { ids, renew } = publish({ memberships });
    await pass(999);
    expect(ids()).toStrictEqual(['short', 'long', 'lifetime']);
    await pass(1);
    expect(ids()).toStrictEqual(['long', 'lifetime']);
    await pass(1000);
    expect(ids()).toStrictEqual(['lifetime']);
    expect(renew).not.toHaveBeenCalled();
  });

  it('that expired after it was listed is removed at once', () => {
    const readAt = START - 10;
    const memberships = [membershipUntil('past', -5), membershipUntil('now', 0), membershipUntil('next', 1)];
    expect(publish({ readAt, memberships }).ids()).toStrictEqual(['next']);
  });

  it('that expired before it was listed stays: the clock of this machine is wrong', async () => {
    const memberships = [membershipUntil('before', -1), membershipUntil('then', 0)];
    const { ids } = publish({ memberships });
    expect(ids()).toStrictEqual(['before', 'then']);
    await pass(MINUTE);
    expect(ids()).toStrictEqual(['before', 'then']);
  });

  it('without a date, or with a malformed one, never expires', async () => {
    const { validUntil: _, ...undated } = membershipUntil('undated', null);
    const memberships = [undated, { ...undated, id: 'malformed', validUntil: 'soon' }];
    const { ids } = publish({ memberships });
    expect(vi.getTimerCount()).toBe(1);
    await pass(MINUTE);
    expect(ids()).toStrictEqual(['undated', 'malformed']);
  });

  it('has a timer of its own only while there is one', () => {
    expect(publish({ memberships: undefined }).ids()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(1);
  });

  it('that expired while the computer slept is removed when the page is shown', async () => {
    const { ids, renewal } = publish({ memberships: [membershipUntil('short', MINUTE)] });
    sleep(MINUTE);
    renewal.check(false);
    await pass(0);
    expect(ids()).toStrictEqual([]);
  });

  it('has one timer, however often the page is checked', () => {
    const { renewal } = publish({ memberships: [membershipUntil('short', MINUTE)] });
    renewal.check(false);
    renewal.check(false);
    // The renewal, and the expiry.
    expect(vi.getTimerCount()).toBe(2);
  });
});
