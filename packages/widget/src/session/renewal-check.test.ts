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

const found = (fields: Partial<SignedIn> = {}) => ({
  type: 'session-found' as const,
  session: sessionAt(Date.now(), fields),
});

describe('a page that is shown again', () => {
  it('reads the session again, at the earliest 5 seconds after it was read', async () => {
    const { read, renewal, checks } = createScriptedRenewal();
    await read();
    await pass(5000);
    renewal.check();
    await pass(0);
    expect(checks()).toStrictEqual([true]);
  });

  it('within 5 seconds reads it at the end of them, once however often it was shown', async () => {
    const { read, renewal, renew, checks } = createScriptedRenewal();
    await read();
    renew.mockImplementation(async () => found());
    for (let visit = 0; visit < 3; visit++) {
      await pass(1000);
      renewal.check();
    }
    await pass(1999);
    expect(checks()).toStrictEqual([]);
    await pass(1);
    expect(checks()).toStrictEqual([true]);
    await pass(MINUTE);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('while a read is running reads it once more afterwards: the response may be older', async () => {
    const { begin, renewal, renew } = createScriptedRenewal();
    begin();
    await pass(MINUTE);
    const response = Promise.withResolvers<ReturnType<typeof found>>();
    renew.mockReturnValueOnce(response.promise).mockImplementation(async () => found());
    renewal.check();
    await pass(100);
    renewal.check();
    response.resolve(found());
    await pass(4899);
    expect(renew).toHaveBeenCalledOnce();
    await pass(1);
    expect(renew).toHaveBeenCalledTimes(2);
    await pass(MINUTE);
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('reads it at once if it comes from the back-forward cache', async () => {
    const { read, renewal, renew, store } = createScriptedRenewal();
    await read();
    renew.mockImplementation(async () => ({ type: 'session-absent' }));
    await pass(100);
    renewal.check(true);
    await pass(0);
    expect(renew).toHaveBeenCalledOnce();
    expect(store.state.status).toBe('signed-out');
  });

  it('waits no longer than 5 seconds after the clock was set back', async () => {
    const { read, renewal, renew } = createScriptedRenewal();
    await read();
    renew.mockImplementation(async () => found());
    sleep(-60 * MINUTE);
    renewal.check();
    await pass(5000);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('waits 5 seconds after a check that failed', async () => {
    const { begin, renewal, renew } = createScriptedRenewal();
    begin({ endsAt: START + MINUTE });
    sleep(10_000);
    await renewal.renew(true);
    renewal.stop();
    renewal.follow(sessionAt(START));
    renewal.check();
    await pass(4999);
    expect(renew).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('finds a user who signed in elsewhere', async () => {
    const { renewal, renew, store } = createScriptedRenewal();
    store.dispatch({ type: 'session-absent' });
    renew.mockImplementation(async () => found());
    renewal.check();
    await pass(0);
    expect(store.state.status).toBe('signed-in');
  });

  it('reads nothing where no session can be', async () => {
    const { renewal, renew } = createScriptedRenewal({ mayHaveSession: false });
    renewal.check();
    renewal.check(true);
    await pass(MINUTE);
    expect(renew).not.toHaveBeenCalled();
  });

  it('reads the session it shows, also if another tab has deleted its tokens', async () => {
    const { begin, renewal, renew } = createScriptedRenewal({ mayHaveSession: false });
    begin();
    renewal.check(true);
    await pass(0);
    expect(renew).toHaveBeenCalledOnce();
  });
});

describe('a page whose network is back', () => {
  it('repeats a failed read at once, not at the end of the pause', async () => {
    const { renewal, renew } = createScriptedRenewal();
    await renewal.renew();
    renew.mockImplementation(async () => found());
    renewal.check(true);
    await pass(0);
    expect(renew).toHaveBeenCalledTimes(2);
    await pass(MINUTE);
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('does not repeat a failed check that was stopped since', async () => {
    const { renewal, renew } = createScriptedRenewal({ mayHaveSession: false });
    await renewal.renew();
    renewal.stop();
    renewal.check(true);
    await pass(MINUTE);
    expect(renew).toHaveBeenCalledOnce();
  });
});

describe('a membership that ends', () => {
  const publish = (fields: Partial<SignedIn>) => {
    const scripted = createScriptedRenewal();
    scripted.begin(fields);
    return scripted;
  };
  const ending = (id: string, after: number) => ({ memberships: [membershipUntil(id, after)] });

  it('is read again first, and stays if it was renewed', async () => {
    const { ids, renew, store } = publish(ending('monthly', MINUTE));
    const states: unknown[] = [];
    store.subscribe(({ memberships }) => states.push(memberships?.length));
    renew.mockImplementation(async () => found(ending('monthly', 60 * MINUTE)));
    await pass(MINUTE - 1);
    expect(renew).not.toHaveBeenCalled();
    await pass(1);
    expect(renew).toHaveBeenCalledOnce();
    await pass(58 * MINUTE);
    expect(ids()).toStrictEqual(['monthly']);
    expect(states).toStrictEqual([1]);
    expect(renew).toHaveBeenCalledOnce();
  });

  it('is removed when the response no longer lists it', async () => {
    const { ids, renew } = publish({
      memberships: [membershipUntil('short', MINUTE), membershipUntil('lifetime', null)],
    });
    renew.mockImplementation(async () => found({ memberships: [membershipUntil('lifetime', null)] }));
    await pass(MINUTE);
    expect(ids()).toStrictEqual(['lifetime']);
  });

  it('each has an end of its own', async () => {
    const both = [membershipUntil('first', MINUTE), membershipUntil('second', 2 * MINUTE)];
    const { ids, renew } = publish({ memberships: both });
    renew.mockImplementation(async () =>
      found({ memberships: both.filter(({ validUntil }) => Date.parse(validUntil ?? '') > Date.now()) }),
    );
    await pass(MINUTE);
    expect(ids()).toStrictEqual(['second']);
    await pass(MINUTE);
    expect(ids()).toStrictEqual([]);
    expect(renew).toHaveBeenCalledTimes(2);
  });

  it('stays for about a minute of reads that fail, and is back after one that does not', async () => {
    const { ids, renew, store } = publish({ ...ending('monthly', MINUTE), endsAt: START + 60 * MINUTE });
    await pass(MINUTE + 59_999);
    expect(ids()).toStrictEqual(['monthly']);
    // The read after 1 + 2 + … + 32 seconds.
    await pass(3001);
    expect(ids()).toStrictEqual([]);
    expect(store.state.status).toBe('signed-in');
    renew.mockImplementation(async () => found(ending('monthly', 60 * MINUTE)));
    await pass(MINUTE);
    expect(ids()).toStrictEqual(['monthly']);
  });

  it('during an outage has its minute too', async () => {
    const { ids, renewal } = publish({ ...ending('monthly', 10 * MINUTE), endsAt: START + 60 * MINUTE });
    await renewal.renew(true);
    await pass(11 * MINUTE - 1);
    expect(ids()).toStrictEqual(['monthly']);
    await pass(MINUTE);
    expect(ids()).toStrictEqual([]);
  });

  it('while the computer sleeps is read again after it wakes, with a minute of failures', async () => {
    const { ids, renew } = publish({ ...ending('monthly', 5 * MINUTE), endsAt: START + 600 * MINUTE });
    sleep(120 * MINUTE);
    // The network needs a moment.
    await pass(MINUTE + 2000);
    expect(renew).toHaveBeenCalledTimes(2);
    expect(ids()).toStrictEqual(['monthly']);
    renew.mockImplementation(async () => found({ memberships: [membershipUntil('monthly', 300 * MINUTE)] }));
    await pass(1000);
    expect(ids()).toStrictEqual(['monthly']);
  });

  it('by a clock that is ahead of the service is read again after 5, 10, 20 seconds and so on', async () => {
    const listed = ending('monthly', MINUTE);
    const { ids, renew } = publish(listed);
    const times: number[] = [];
    renew.mockImplementation(async () => {
      times.push((Date.now() - START) / 1000 - 60);
      return times.length < 5 ? found(listed) : found();
    });
    await pass(3 * MINUTE);
    expect(times).toStrictEqual([0, 5, 10, 20, 40]);
    expect(ids()).toStrictEqual([]);
  });

  it('by a clock that is hours ahead causes no request loop', async () => {
    const listed = () => found({ ...ending('monthly', -120 * MINUTE), renewAt: START + 600 * MINUTE });
    const { renew } = publish(listed().session);
    renew.mockImplementation(async () => listed());
    await pass(300 * MINUTE);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('without a date, or with a malformed one, never does', async () => {
    const { validUntil: _, ...undated } = membershipUntil('undated', null);
    const memberships = [undated, { ...undated, id: 'malformed', validUntil: 'soon' }];
    const { ids, renew } = publish({ memberships });
    await pass(58 * MINUTE);
    expect(ids()).toStrictEqual(['undated', 'malformed']);
    expect(renew).not.toHaveBeenCalled();
  });

  it('needs no timer besides that of the session', () => {
    const { renewal } = publish(ending('short', MINUTE));
    renewal.check();
    renewal.check(true);
    expect(vi.getTimerCount()).toBe(1);
  });
});
