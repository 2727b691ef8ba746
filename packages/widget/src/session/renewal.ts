import { LAST_FAILURE, retryPause, type TimeSource, wakeAt } from '../browser/wake-up.js';
import { failureOf } from '../state/login-failure.js';
import { isPending, type LoginStore, type Membership, type SignedIn } from '../state/login-state.js';
import type { SessionReader } from '../state/session-provider.js';

/** Shortest time, in milliseconds, between two reads of a session, except those that repeat a failed one. */
const PAUSE_MS = 5000;
/** Time, in milliseconds, for which a membership stays after its end while no read succeeds. */
const GRACE_MS = 60_000;

export type Renewal = ReturnType<typeof createRenewal>;

/**
 * Decides when a session is read again: before it expires, when a membership ends, when the page is shown, and after a failure.
 * A read that comes too soon waits for the end of the pause. Only a response closes a gate, or a minute without any.
 */
export function createRenewal(reader: SessionReader, time: TimeSource, store: LoginStore) {
  const { clock } = time;
  let session: SignedIn | undefined;
  /** Time at which the last read began. */
  let readAt = 0;
  /** Time of the next read that the page or a failure asks for. */
  let wantedAt = Number.POSITIVE_INFINITY;
  /** Failed reads in a row. */
  let failures = 0;
  let running: Promise<void> | undefined;
  let abort = new AbortController();
  let cancel = () => {};

  const renewal = {
    /** Sets the timer for a session. `undefined` cancels it. */
    follow(next: SignedIn | undefined): void {
      session = next;
      schedule();
    },

    /**
     * Renews the session now. Concurrent calls share one renewal.
     * @param isCheck true to read the session again without renewing tokens that are still fresh.
     */
    renew(isCheck = false): Promise<void> {
      running ??= read(isCheck);
      return running;
    },

    /**
     * Reads the session again because the page is shown, or the network is back: the user may have signed in or out or paid elsewhere.
     * @param isAtOnce true to wait for no pause.
     */
    check(isAtOnce = false): void {
      if (!session && !reader.mayHaveSession) return;
      wantedAt = Math.min(wantedAt, isAtOnce ? clock.now() : soonest());
      schedule();
    },

    /** Discards the running renewal and cancels the timer. */
    stop(): void {
      abort.abort();
      abort = new AbortController();
      running = undefined;
      failures = 0;
      wantedAt = Number.POSITIVE_INFINITY;
      renewal.follow(undefined);
    },
  };

  /** Returns the end of the pause. A time in the future is one of before the clock was set back. */
  function soonest(): number {
    return Math.min(clock.now(), Math.max(readAt, session?.readAt ?? 0)) + PAUSE_MS;
  }

  async function read(isCheck: boolean): Promise<void> {
    const { signal } = abort;
    cancel();
    wantedAt = Number.POSITIVE_INFINITY;
    readAt = clock.now();
    try {
      const result = await reader.renew(signal, isCheck);
      if (signal.aborted) return;
      failures = 0;
      store.dispatch(result);
    } catch (error) {
      if (signal.aborted) return;
      fail(error);
    }
    running = undefined;
    schedule();
  }

  function fail(error: unknown): void {
    const now = clock.now();
    const known = session;
    const { endsAt = Number.POSITIVE_INFINITY, memberships } = known ?? {};
    failures++;
    store.dispatch({ type: 'check-failed', failure: failureOf(error, 'check') });
    if (now >= endsAt) {
      store.dispatch({ type: 'session-ended' });
      return;
    }
    wantedAt = Math.min(wantedAt, now + retryPause(failures), endsAt);
    if (!known || failures < LAST_FAILURE) return;
    const left = memberships?.filter((one) => now < endOf(one, known) + GRACE_MS);
    if (left?.length !== memberships?.length)
      store.dispatch({ type: 'session-found', session: { ...known, memberships: left } });
  }

  function schedule(): void {
    cancel();
    if (running) return;
    let next = wantedAt;
    // A failed read is repeated at its own time.
    if (session && !failures) {
      const { memberships = [], renewAt, readAt } = session;
      const ends = memberships.map((one) => endOf(one, { readAt }));
      next = Math.min(next, Math.max(Math.min(renewAt, ...ends), soonest()));
    }
    if (next === Number.POSITIVE_INFINITY) return;
    cancel = wakeAt(time, next, () => {
      // Each attempt ends with a read, or with a session.
      if (!isPending(store.state)) void renewal.renew(true);
    });
  }

  return renewal;
}

/**
 * Returns the time at which a membership has to be read again, because it ends. If the service still listed it after its end, the clock
 * of this machine is ahead, perhaps by far. The time since the end then doubles from read to read.
 */
function endOf({ validUntil }: Membership, { readAt }: Pick<SignedIn, 'readAt'>): number {
  const end = Date.parse(validUntil ?? '');
  return Math.max(end, 2 * readAt - end) || Number.POSITIVE_INFINITY;
}
