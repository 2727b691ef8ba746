import { type TimeSource, wakeAt } from '../browser/wake-up.js';
import { failureOf } from '../state/login-failure.js';
import type { LoginStore, Membership, SessionResult, SignedIn } from '../state/login-state.js';
import type { SessionProvider } from '../state/session-provider.js';

/** First pause after a failed renewal, in milliseconds. Each further pause is twice as long. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** Shortest time, in milliseconds, between two checks that showing the page again causes. */
const MIN_CHECK_MS = 5000;

/** Renews a session before it expires, and removes each membership when it expires. */
export class Renewal {
  readonly #provider: SessionProvider;
  readonly #time: TimeSource;
  readonly #store: LoginStore;
  #session: SignedIn | undefined;
  #retries = 0;
  #checkedAt = 0;
  /** True if the last renewal failed, so that it is unknown whether the session still exists. */
  #unconfirmed = false;
  #running: Promise<void> | undefined;
  #abort = new AbortController();
  #cancelRenewal = () => {};
  #cancelExpiry = () => {};

  constructor(provider: SessionProvider, time: TimeSource, store: LoginStore) {
    this.#provider = provider;
    this.#time = time;
    this.#store = store;
  }

  /** Sets the timers for a session. `undefined` cancels them. */
  follow(session: SignedIn | undefined): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#cancelRenewal();
    this.#watchMemberships();
    if (!session) return;
    // At least one pause, so that a session that is already due causes no request loop.
    this.#renewAt(Math.max(session.renewAt, this.#time.clock.now() + FIRST_RETRY_MS));
  }

  /**
   * Renews the session now. Concurrent calls share one renewal.
   * @param isCheck true to read the session again without renewing tokens that are still fresh.
   */
  renew(isCheck = false): Promise<void> {
    if (this.#running) return this.#running;
    const running = this.#renewOnce(isCheck).finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  /** Publishes a result, without the memberships that have expired since. */
  publish(result: SessionResult): void {
    if (result.kind === 'signed-out') this.#store.dispatch({ type: 'session-absent' });
    else if (result.kind === 'expired') this.#store.dispatch({ type: 'session-ended' });
    else this.#publishSession(result.session);
  }

  /**
   * Runs what is due. Call it when timers may have been delayed: the page is shown, or the network is back.
   * @param isShown true if the page is shown. The user may have paid in another tab, so a session is read again.
   */
  check(isShown: boolean): void {
    const session = this.#session;
    const now = this.#time.clock.now();
    const { readAt = 0, renewAt = Number.POSITIVE_INFINITY } = session ?? {};
    const isDue = this.#unconfirmed || now >= renewAt || (isShown && session);
    const isRecent = isShown && now < Math.max(this.#checkedAt, readAt) + MIN_CHECK_MS;
    if (isDue && !isRecent) void this.renew(true);
    this.#watchMemberships();
  }

  /** Discards the running renewal and cancels the timers. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#running = undefined;
    this.#unconfirmed = false;
    this.follow(undefined);
  }

  async #renewOnce(isCheck: boolean): Promise<void> {
    const { signal } = this.#abort;
    this.#cancelRenewal();
    this.#checkedAt = this.#time.clock.now();
    try {
      const result = await this.#provider.renew(signal, isCheck);
      if (signal.aborted) return;
      this.#unconfirmed = false;
      this.#retries = 0;
      this.publish(result);
    } catch (error) {
      if (signal.aborted) return;
      this.#unconfirmed = true;
      this.#store.dispatch({ type: 'check-failed', failure: failureOf(error, 'check') });
      this.#retry(isCheck);
    }
  }

  #retry(isCheck: boolean): void {
    if (!this.#session) return;
    const { endsAt } = this.#session;
    const now = this.#time.clock.now();
    if (now >= endsAt) {
      this.#store.dispatch({ type: 'session-ended' });
      return;
    }
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.#retries++, MAX_RETRY_MS);
    this.#renewAt(Math.min(now + pause, endsAt), isCheck);
  }

  #renewAt(time: number, isCheck = false): void {
    this.#cancelRenewal = wakeAt(this.#time, time, () => void this.renew(isCheck));
  }

  #publishSession(session: SignedIn): void {
    const now = this.#time.clock.now();
    const memberships = session.memberships?.filter((one) => expiryOf(one, session) > now);
    this.#store.dispatch({ type: 'session-found', session: { ...session, memberships } });
  }

  #watchMemberships(): void {
    this.#cancelExpiry();
    const session = this.#session;
    if (!session) return;
    const next = Math.min(...(session.memberships ?? []).map((one) => expiryOf(one, session)));
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelExpiry = wakeAt(this.#time, next, () => this.#publishSession(session));
  }
}

/** Ignores an expiry before the listing: the service lists active memberships, so this machine's clock must be wrong. */
function expiryOf({ validUntil }: Membership, { readAt }: SignedIn): number {
  const expiry = Date.parse(validUntil ?? '');
  return expiry > readAt ? expiry : Number.POSITIVE_INFINITY;
}
