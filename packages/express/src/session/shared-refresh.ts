import { setTimeout as pause } from 'node:timers/promises';
import type { TokenSet } from '@latchkey/oauth';
import type { Logger } from '../logger.js';
import { failureDetails } from '../service-failure.js';
import { insist } from './insist.js';
import type { SendRefresh, SentRefresh } from './refresh-outcome.js';
import type { Session } from './session.js';
import type { SessionLock } from './session-lock.js';
import { SessionStoreError } from './session-store.js';
import { keyOf, type StoredSessions } from './stored-sessions.js';

/** Between two looks at a lock that another process holds. */
const LOOK_AGAIN_MS = 40;
/**
 * After a refused token, how long to wait for the successor that another process may be about to write: with a lock
 * only when it ran out or was lost in mid-refresh, without one whenever two processes renew at once.
 */
const SUCCESSOR_WAIT_MS = { locked: 1_000, unlocked: 3_000 };
/** So that a session which waits to be written is there before somebody has waited for it in vain. */
const WRITE_AGAIN_MS = 300;

/** What a refresh among several processes needs. */
export interface SharedRefreshDependencies {
  records: StoredSessions;
  lock: SessionLock | undefined;
  logger: Logger;
  /** Longest wait for one answer of store or lock, in milliseconds. */
  storeTimeoutMs: number;
  /** Longest that `send` takes, in milliseconds. */
  sendTimeoutMs: number;
  /** Gives back tokens of a session that was signed out while they were on their way. Never rejects. */
  discard(tokens: TokenSet): Promise<void>;
}

type Release = () => Promise<void>;

/**
 * Renews sessions that several processes share. One process at a time: it takes the lock, looks into the store whether
 * another was faster, and only then sends the token. What came back is kept, whatever the store does meanwhile.
 */
export class SharedRefresh {
  readonly #dependencies: SharedRefreshDependencies;

  constructor(dependencies: SharedRefreshDependencies) {
    this.#dependencies = dependencies;
  }

  /** Never rejects. */
  async run(session: Session, send: SendRefresh): Promise<SentRefresh> {
    let release: Release | undefined;
    let written: Promise<void> | undefined;
    try {
      const entered = await this.#enter(session);
      if (entered.kind !== 'entered') return entered;
      ({ release } = entered);
      const newer = await this.#successorOf(session);
      if (newer !== undefined) return newer;
      const sent = await send(session);
      if (sent.kind === 'unavailable') return sent;
      if (sent.kind === 'ended') return await this.#afterRefusal(session);
      // From here on the old token is spent: whatever happens, the successor is kept.
      const kept = await this.#keep(sent.session);
      ({ written } = kept);
      return kept.outcome;
    } catch (cause) {
      return { kind: 'unavailable', cause };
    } finally {
      // While the successor is not in the store, nobody else may find the spent token there and send it.
      void this.#leave(release, written);
    }
  }

  /** Waits for the lock, or for what its holder writes. */
  async #enter(session: Session): Promise<{ kind: 'entered'; release: Release | undefined } | SentRefresh> {
    if (this.#dependencies.lock === undefined) return { kind: 'entered', release: undefined };
    const ttlMs = this.#lockTtlMs;
    const startedAt = performance.now();
    while (performance.now() - startedAt < ttlMs + 1_000) {
      const release = await this.#acquire(this.#dependencies.lock, session);
      if (release !== undefined) return { kind: 'entered', release };
      await pause(LOOK_AGAIN_MS * (0.5 + Math.random()));
      const newer = await this.#successorOf(session);
      if (newer !== undefined) return newer;
    }
    throw new SessionStoreError('Other processes have been renewing this session for too long.');
  }

  /** Longer than everything that is done under the lock; a holder that was killed blocks one session for so long. */
  get #lockTtlMs(): number {
    const { sendTimeoutMs, storeTimeoutMs } = this.#dependencies;
    return sendTimeoutMs + 4 * storeTimeoutMs + 1_000;
  }

  async #acquire(lock: SessionLock, { id }: Session): Promise<Release | undefined> {
    const { storeTimeoutMs } = this.#dependencies;
    const acquired = Promise.resolve().then(() => lock.acquire(keyOf(id), this.#lockTtlMs));
    const timer = new AbortController();
    const late = Symbol('late');
    try {
      const first = await Promise.race([acquired, pause(storeTimeoutMs, late, { signal: timer.signal })]);
      if (first !== late) return first as Release | undefined;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SessionStoreError(`The session lock failed: ${reason}`, { cause });
    } finally {
      timer.abort();
    }
    // Should it come to hold it after all, nobody would know.
    acquired.then((release) => release?.()).catch(() => {});
    throw new SessionStoreError(
      `The session lock has not answered within ${storeTimeoutMs} ms (session.storeTimeoutMs).`,
    );
  }

  async #leave(release: Release | undefined, written: Promise<void> | undefined): Promise<void> {
    if (release === undefined) return;
    await written;
    try {
      await release();
    } catch (error) {
      this.#dependencies.logger.warn(
        'A session lock could not be released; it ends by itself.',
        failureDetails(error),
      );
    }
  }

  /** What another process has made of the session, if anything. */
  async #successorOf(session: Session): Promise<SentRefresh | undefined> {
    const now = await this.#dependencies.records.get(session.id);
    if (now === undefined) return { kind: 'ended' };
    if (now.tokens.refreshToken === session.tokens.refreshToken) return undefined;
    return { kind: 'renewed', session: now };
  }

  /** The service has refused the token. Another process may have sent it, and be about to write its successor. */
  async #afterRefusal(session: Session): Promise<SentRefresh> {
    const { records, lock, logger } = this.#dependencies;
    const waitMs = SUCCESSOR_WAIT_MS[lock === undefined ? 'unlocked' : 'locked'];
    const startedAt = performance.now();
    do {
      const newer = await this.#successorOf(session);
      if (newer !== undefined) return newer;
      await pause(LOOK_AGAIN_MS);
    } while (performance.now() - startedAt < waitMs);
    try {
      await records.drop(session.id);
    } catch (error) {
      logger.warn('A session that is over could not be deleted from the store.', failureDetails(error));
    }
    return { kind: 'ended' };
  }

  /** Writes the renewed session; when the store does not take it, from memory until it does. */
  async #keep(session: Session): Promise<{ outcome: SentRefresh; written?: Promise<void> }> {
    const { records, logger, discard } = this.#dependencies;
    const renewed: SentRefresh = { kind: 'renewed', session };
    records.prefer(session);
    let isWritten = false;
    let hasEnded = false;
    const write = async () => {
      hasEnded = await records.hasEnded(session.id);
      if (!hasEnded && !isWritten) {
        await records.set(session);
        isWritten = true;
        // Signed out between the look and the write: what was just written must go again.
        hasEnded = await records.hasEnded(session.id);
      }
      // Before the lock goes: whoever comes next must not find the spent token there, and send it.
      if (hasEnded) await records.drop(session.id);
      else await records.letGoIfRetired(session);
      records.withdraw(session);
      if (hasEnded) void discard(session.tokens);
    };
    try {
      await write();
      return { outcome: hasEnded ? { kind: 'ended' } : renewed };
    } catch (error) {
      logger.error(
        'A renewed session could not be written to the store. This process keeps it and tries again.',
        failureDetails(error),
      );
      const written = insist(write, { longestPauseMs: WRITE_AGAIN_MS }).catch((lastError: unknown) => {
        records.withdraw(session);
        logger.error(
          'A renewed session was not written for ten minutes: its visitor has to sign in again.',
          failureDetails(lastError),
        );
      });
      return { outcome: hasEnded ? { kind: 'ended' } : renewed, written };
    }
  }
}
