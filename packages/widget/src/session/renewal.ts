import { LAST_FAILURE, retryPause, type TimeSource, wakeAt } from '../browser/wake-up.js';
import { failureOf } from '../state/login-failure.js';
import { isPending, type LoginStore, type Membership, type SignedIn } from '../state/login-state.js';
import type { SessionReader } from '../state/session-provider.js';

/** Shortest time between two reads of a session, in milliseconds. Retries after a failure have their own pauses. */
const PAUSE_MS = 5000;
/** How long a membership stays after its end while no read succeeds, in milliseconds. */
const GRACE_MS = 60_000;

export type Renewal = ReturnType<typeof createRenewal>;

/**
 * Decides when to read the session again: before it expires, when a membership ends, when the page is shown or back
 * online, and after a failure. A read that would come too soon waits for the end of the pause. A gate stays open until
 * a response closes it, the session ends, or a membership has ended and reads have failed for about a minute.
 */
export function createRenewal(reader: SessionReader, time: TimeSource, store: LoginStore) {
  const { clock } = time;
  let session: SignedIn | undefined;
  /** When the last read began, in milliseconds since the epoch. */
  let readAt = 0;
  /** When the page or a failure asks for the next read. `Infinity` if neither does. */
  let wantedAt = Number.POSITIVE_INFINITY;
  /** Failed reads in a row. */
  let failures = 0;
  let running: Promise<void> | undefined;
  let abort = new AbortController();
  let cancel = () => {};

  const renewal = {
    /** Schedules the renewal of a session. `undefined` cancels it. */
    follow(next: SignedIn | undefined): void {
      session = next;
      schedule();
    },

    /**
     * Renews the session now. Concurrent calls share one renewal.
     * @param isCheck true to leave tokens alone that are still fresh.
     */
    renew(isCheck = false): Promise<void> {
      running ??= read(isCheck);
      return running;
    },

    /**
     * Reads the session again after the page is shown or the network is back. Meanwhile, the user may have signed in or
     * out, or paid, elsewhere.
     * @param isAtOnce true to skip the pause.
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

  /** Returns the end of the pause. If the last read is in the future, the clock was set back, so count from now. */
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
    // After a failure, `wantedAt` is the time of the retry.
    if (session && !failures) {
      const { memberships = [], renewAt, readAt } = session;
      const ends = memberships.map((one) => endOf(one, { readAt }));
      next = Math.min(next, Math.max(Math.min(renewAt, ...ends), soonest()));
    }
    if (next === Number.POSITIVE_INFINITY) return;
    cancel = wakeAt(time, next, () => {
      // No read during an attempt: it ends with a session, or with a read.
      if (!isPending(store.state)) void renewal.renew(true);
    });
  }

  return renewal;
}

/**
 * Returns when to read a membership again: at its end. If the service still listed it after that, this machine's clock
 * is ahead, perhaps by a lot. Then the time since the end doubles from one read to the next.
 */
function endOf({ validUntil }: Membership, { readAt }: Pick<SignedIn, 'readAt'>): number {
  const end = Date.parse(validUntil ?? '');
  return Math.max(end, 2 * readAt - end) || Number.POSITIVE_INFINITY;
}
