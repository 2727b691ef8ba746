import type { Response } from 'express';
import { LatchkeyError } from '../platform/errors.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Kit } from './kit.js';
import { hasExpired, needsTouch, type Session, SessionStoreError } from './session.js';
import { SessionCookie } from './session-cookie.js';
import { REFRESH_SKEW_MS } from './session-refresher.js';

/** Renew the token, rather than re-issue the cookie, if the token has less than this left. Longer than any response takes. */
const TOUCH_MARGIN_MS = 5 * 60_000;

/** If the last use is further in the future than this, the clock was ahead when it was recorded. */
const CLOCK_AHEAD_TOLERANCE_MS = 5 * 60_000;

/** The session of one request. Every change of the session cookie is made here. */
export class CurrentSession {
  readonly #kit: Kit;
  readonly #response: Response;
  readonly #opened: Session | undefined;
  readonly #storeError: SessionStoreError | undefined;
  #session: Session | undefined;
  /** True once the session of the cookie was checked. That is when it is first needed: many requests need none. */
  #isChecked = false;
  #expired = false;
  #changedCookie: SessionCookie | undefined;

  /** @param opened the session of the request's cookie, or the store's error. */
  constructor(kit: Kit, response: Response, opened: Session | SessionStoreError | undefined) {
    this.#kit = kit;
    this.#response = response;
    if (opened instanceof SessionStoreError) {
      this.#storeError = opened;
      return;
    }
    this.#opened = opened;
    this.#session = opened;
  }

  get #cookie(): SessionCookie {
    this.#changedCookie ??= new SessionCookie(this.#kit, this.#response);
    return this.#changedCookie;
  }

  /** The session of the request's cookie, even if it has expired. */
  get opened(): Session | undefined {
    return this.#opened;
  }

  /** The session, without any check or renewal. Undefined for a signed-out visitor. */
  get value(): Session | undefined {
    return this.#isChecked ? this.#session : this.#check(this.#kit.clock.now());
  }

  /** True if the store failed: it's unknown whether the visitor is signed in. */
  get isUnknown(): boolean {
    return this.#storeError !== undefined;
  }

  /** True if the request came with a session that has expired, or that the service refused to renew. */
  get expired(): boolean {
    if (!this.#isChecked) this.#check(this.#kit.clock.now());
    return this.#expired;
  }

  /** Returns the session unless it has ended. Another request may have signed out since the last check. */
  #check(now: number): Session | undefined {
    const { lifetime, store } = this.#kit;
    const session = this.#session;
    if (session !== undefined && store.hasEnded(session)) this.#session = undefined;
    else if (session !== undefined && !this.#isChecked && hasExpired(session, lifetime, now)) {
      this.#session = undefined;
      this.#expired = true;
    }
    this.#isChecked = true;
    return this.#session;
  }

  /**
   * Returns the session with a valid access token, or undefined for a signed-out visitor. Synchronous unless something
   * has to be renewed.
   * @throws LatchkeyError `service_unavailable` if the token has expired and can't be renewed, or the store failed.
   */
  current(): Session | undefined | Promise<Session | undefined> {
    const { clock, lifetime, store } = this.#kit;
    const now = clock.now();
    const session = this.#check(now);
    if (session === undefined) {
      return this.#storeError === undefined ? undefined : Promise.reject(storeUnavailable(this.#storeError));
    }
    // A last use in the future means that the clock was ahead, so the token expires earlier than recorded. If the clock
    // is now far behind instead, a time recorded now would end the session once the clock is right.
    const aheadMs = session.seenAt - now;
    const wasClockAhead = aheadMs > CLOCK_AHEAD_TOLERANCE_MS && aheadMs < lifetime.rollingMs / 2;
    const { refreshToken, expiresAt } = session.tokens;
    const canRenew = refreshToken !== undefined;
    if (canRenew && (wasClockAhead || expiresAt - now <= REFRESH_SKEW_MS)) return this.renew(session);
    if (!needsTouch(session, lifetime, now)) return session;
    // A slow response can arrive after one that renewed the session. Its cookie must not contain a rotated token.
    const expiresSoon = canRenew && expiresAt - now <= TOUCH_MARGIN_MS;
    if (store.cookieHoldsTokens && expiresSoon) return this.renew(session);
    return this.#touch({ ...session, seenAt: now });
  }

  /**
   * Signs the visitor in. If the session can't be stored, revokes its tokens.
   * @throws LatchkeyError `service_unavailable` if the store fails.
   */
  async start(session: Session): Promise<void> {
    const { store, storeFailed, revocations, refresher } = this.#kit;
    const replaced = this.#opened;
    let cookieValue: string;
    try {
      cookieValue = await store.begin(session);
    } catch (error) {
      await revocations.revoke(session.tokens);
      throw storeUnavailable(storeFailed('A session could not be written to the store.', error));
    }
    if (replaced !== undefined && replaced.id !== session.id) {
      refresher.stopWaiting(replaced);
      store.retire(replaced).catch((error: unknown) => {
        // Nobody waits for this, so it must not throw.
        const failure = error instanceof SessionStoreError ? error : new SessionStoreError(`${error}`);
        storeFailed('A session that was replaced is still in the store.', failure);
      });
    }
    this.#session = session;
    this.#isChecked = true;
    this.#expired = false;
    this.#cookie.change({ kind: 'set', session, cookieValue });
  }

  /**
   * Records that the response reports the session's expiry. Returns true the first time.
   *
   * The cookie is deleted only if the session's own lifetime has passed. If the service rejected a token, another
   * process may have renewed the session, or the browser may have signed in again and hold a valid cookie.
   */
  reportExpiry(): boolean {
    const { clock, lifetime, reportedExpiries } = this.#kit;
    const opened = this.#opened;
    if (opened === undefined || this.value !== undefined) return false;
    if (hasExpired(opened, lifetime, clock.now())) {
      this.clear();
      return true;
    }
    const isFirst = !reportedExpiries.has(opened.id);
    reportedExpiries.set(opened.id, true);
    return isFirst;
  }

  clear(): void {
    this.#session = undefined;
    this.#cookie.change({ kind: 'clear' });
  }

  /**
   * Rotates the session's tokens. Resolves to undefined if the session has ended.
   * @throws LatchkeyError `service_unavailable` if the access token has expired and the service doesn't respond.
   */
  async renew(session: Session): Promise<Session | undefined> {
    const { refresher, store, clock, logger } = this.#kit;
    const result = await refresher.refresh(session);
    if (result.kind === 'unavailable') {
      logger.warn('session_not_renewed', 'A session could not be renewed.', failureDetails(result.cause));
      if (clock.now() < session.tokens.expiresAt) return session;
      throw new LatchkeyError('service_unavailable', 'The session cannot be renewed at the moment.', {
        cause: result.cause,
      });
    }
    if (result.kind === 'ended' || store.hasEnded(session)) {
      this.#session = undefined;
      this.#expired = result.kind === 'ended';
      return undefined;
    }
    this.#session = result.session;
    this.#cookie.untilSent(() => refresher.beginDelivery(session));
    try {
      const cookieValue = await result.cookieValue;
      this.#cookie.change({ kind: 'set', session: result.session, cookieValue, renewedAt: clock.now() });
    } catch (error) {
      // The tokens are valid for this request, although the browser doesn't receive them.
      logger.error(
        'session_not_renewed',
        'The cookie of a renewed session could not be created.',
        failureDetails(error),
      );
    }
    return result.session;
  }

  async #touch(session: Session): Promise<Session | undefined> {
    const { store, storeFailed, clock } = this.#kit;
    let cookieValue: string;
    try {
      cookieValue = await store.touch(session);
    } catch (error) {
      storeFailed('The lifetime of a session could not be extended in the store.', error);
      // The session is valid. A later request will extend it.
      return session;
    }
    // Another request may have signed out in the meantime.
    if (store.hasEnded(session)) {
      this.#session = undefined;
      return undefined;
    }
    this.#session = session;
    this.#cookie.change({ kind: 'set', session, cookieValue, renewedAt: clock.now() });
    return session;
  }
}

const storeUnavailable = (cause: SessionStoreError) =>
  new LatchkeyError('service_unavailable', 'The session store does not respond.', { cause });
