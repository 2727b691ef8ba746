import { LAST_FAILURE, retryPause, type TimeSource, wakeAt } from '../browser/wake-up.js';
import { failureOf } from '../state/login-failure.js';
import { isPending, type LoginStore, type Membership, type SignedIn } from '../state/login-state.js';
import type { SessionProvider } from '../state/session-provider.js';

/** Shortest time, in milliseconds, between two reads of a session, except those that repeat a failed one. */
const PAUSE_MS = 5000;
/** Time, in milliseconds, for which a membership stays after its end while no read succeeds. */
const GRACE_MS = 60_000;

/**
 * Decides when a session is read again: before it expires, when a membership ends, when the page is shown, and after a failure.
 * A read that comes too soon waits for the end of the pause. Only a response closes a gate, or a minute without any.
 */
export class Renewal {
  readonly #provider: SessionProvider;
  readonly #time: TimeSource;
  readonly #store: LoginStore;
  #session: SignedIn | undefined;
  /** Time at which the last read began. */
  #readAt = 0;
  /** Time of the next read that the page or a failure asks for. */
  #wantedAt = Number.POSITIVE_INFINITY;
  /** Failed reads in a row. */
  #failures = 0;
  #running: Promise<void> | undefined;
  #abort = new AbortController();
  #cancel = () => {};

  constructor(provider: SessionProvider, time: TimeSource, store: LoginStore) {
    this.#provider = provider;
    this.#time = time;
    this.#store = store;
  }

  /** Sets the timer for a session. `undefined` cancels it. */
  follow(session: SignedIn | undefined): void {
    this.#session = session;
    this.#schedule();
  }

  /**
   * Renews the session now. Concurrent calls share one renewal.
   * @param isCheck true to read the session again without renewing tokens that are still fresh.
   */
  renew(isCheck = false): Promise<void> {
    this.#running ??= this.#read(isCheck);
    return this.#running;
  }

  /**
   * Reads the session again because the page is shown, or the network is back: the user may have signed in or out or paid elsewhere.
   * @param isAtOnce true to wait for no pause.
   */
  check(isAtOnce = false): void {
    if (!this.#session && !this.#provider.mayHaveSession) return;
    this.#wantedAt = Math.min(this.#wantedAt, isAtOnce ? this.#time.clock.now() : this.#soonest);
    this.#schedule();
  }

  /** Discards the running renewal and cancels the timer. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#running = undefined;
    this.#failures = 0;
    this.#wantedAt = Number.POSITIVE_INFINITY;
    this.follow(undefined);
  }

  /** End of the pause. A time in the future is one of before the clock was set back. */
  get #soonest(): number {
    return Math.min(this.#time.clock.now(), Math.max(this.#readAt, this.#session?.readAt ?? 0)) + PAUSE_MS;
  }

  async #read(isCheck: boolean): Promise<void> {
    const { signal } = this.#abort;
    this.#cancel();
    this.#wantedAt = Number.POSITIVE_INFINITY;
    this.#readAt = this.#time.clock.now();
    try {
      const result = await this.#provider.renew(signal, isCheck);
      if (signal.aborted) return;
      this.#failures = 0;
      this.#store.dispatch(result);
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(error);
    }
    this.#running = undefined;
    this.#schedule();
  }

  #fail(error: unknown): void {
    const now = this.#time.clock.now();
    const session = this.#session;
    const { endsAt = Number.POSITIVE_INFINITY, memberships } = session ?? {};
    this.#failures++;
    this.#store.dispatch({ type: 'check-failed', failure: failureOf(error, 'check') });
    if (now >= endsAt) {
      this.#store.dispatch({ type: 'session-ended' });
      return;
    }
    this.#wantedAt = Math.min(this.#wantedAt, now + retryPause(this.#failures), endsAt);
    if (!session || this.#failures < LAST_FAILURE) return;
    const left = memberships?.filter((one) => now < endOf(one, session) + GRACE_MS);
    if (left?.length !== memberships?.length)
      this.#store.dispatch({ type: 'session-found', session: { ...session, memberships: left } });
  }

  #schedule(): void {
    this.#cancel();
    if (this.#running) return;
    const session = this.#session;
    let time = this.#wantedAt;
    // A failed read is repeated at its own time.
    if (session && !this.#failures) {
      const ends = (session.memberships ?? []).map((one) => endOf(one, session));
      time = Math.min(time, Math.max(Math.min(session.renewAt, ...ends), this.#soonest));
    }
    if (time === Number.POSITIVE_INFINITY) return;
    this.#cancel = wakeAt(this.#time, time, () => {
      // Each attempt ends with a read, or with a session.
      if (!isPending(this.#store.state)) void this.renew(true);
    });
  }
}

/**
 * Returns the time at which a membership has to be read again, because it ends. If the service still listed it after its end, the clock
 * of this machine is ahead, perhaps by far. The time since the end then doubles from read to read.
 */
function endOf({ validUntil }: Membership, { readAt }: Pick<SignedIn, 'readAt'>): number {
  const end = Date.parse(validUntil ?? '');
  return Math.max(end, 2 * readAt - end) || Number.POSITIVE_INFINITY;
}
