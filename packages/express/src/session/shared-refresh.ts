import { setTimeout as pause } from 'node:timers/promises';
import { isError } from '@latchkey/contract/constants';
import { retry } from '../platform/retry-queue.js';
import { failureDetails } from '../platform/service-failure.js';
import type { SessionLock } from '../stores/kit-store.js';
import {
  type SendRefresh,
  type Session,
  SessionStoreError,
  type SessionStoreOptions,
  type TokenRefreshResult,
} from './session.js';
import { keyOf, type StoredSessions } from './stored-sessions.js';

/** Milliseconds between two checks of a lock that another process holds. */
const POLL_MS = 40;
/**
 * How long to wait, after the service rejected a token, for the successor that another process may be writing, in
 * milliseconds. With a lock, this only happens if the lock expired or was lost. Without one, it happens at every
 * concurrent renewal.
 */
const SUCCESSOR_WAIT_MS = { locked: 1_000, unlocked: 3_000 };
/** Maximum pause between attempts to write a renewed session, in milliseconds. Shorter than other processes wait for it. */
const WRITE_RETRY_MAX_PAUSE_MS = 300;

type Release = () => Promise<void>;

type Entry = { kind: 'entered'; release: Release | undefined } | TokenRefreshResult;

/**
 * Renews sessions that several processes share. A process acquires the lock, checks whether another process has renewed
 * the session, and only then sends the token. New tokens are kept in memory until the store accepts them.
 */
export class SharedRefresh {
  readonly #records: StoredSessions;
  readonly #options: SessionStoreOptions;

  constructor(records: StoredSessions, options: SessionStoreOptions) {
    this.#records = records;
    this.#options = options;
  }

  /** Never rejects. */
  async run(session: Session, send: SendRefresh): Promise<TokenRefreshResult> {
    let release: Release | undefined;
    let written: Promise<void> | undefined;
    try {
      const entry = await this.#enter(session);
      if (entry.kind !== 'entered') return entry;
      ({ release } = entry);
      const newer = await this.#successorOf(session);
      if (newer !== undefined) return newer;
      // Checked after the record was read: some stores write the content that `touch` receives, so the process that
      // retired the session may have undone a renewal. The record then contains a rotated token.
      if (await this.#records.wasRetired(session.id)) return { kind: 'ended' };
      const sent = await send(session);
      if (sent.kind === 'unavailable') return sent;
      if (sent.kind === 'ended') return await this.#afterRejection(session);
      // The old token was rotated, so the successor is kept whatever happens to the store.
      const kept = await this.#keep(sent.session);
      ({ written } = kept);
      return kept.result;
    } catch (cause) {
      return { kind: 'unavailable', cause };
    } finally {
      // The lock is held until the successor is in the store: another process would read and send the rotated token.
      void this.#leave(release, written);
    }
  }

  /** Waits for the lock, or for the session that its holder writes. */
  async #enter(session: Session): Promise<Entry> {
    const { sessionLock: lock } = this.#options;
    if (lock === undefined) return { kind: 'entered', release: undefined };
    const ttlMs = this.#lockTtlMs;
    const startedAt = performance.now();
    while (performance.now() - startedAt < ttlMs + 1_000) {
      const release = await this.#acquire(lock, session);
      if (release !== undefined) return { kind: 'entered', release };
      await pause(POLL_MS * (0.5 + Math.random()));
      const newer = await this.#successorOf(session);
      if (newer !== undefined) return newer;
    }
    throw new SessionStoreError('Other processes have been renewing this session for too long.');
  }

  /**
   * Longer than it takes until the new tokens are stored: the call of the lock, three reads, the request and the write.
   * What follows only shortens or deletes the record, which is safe without the lock. After a crash, one session is
   * blocked for this long.
   */
  get #lockTtlMs(): number {
    const { refreshTimeoutMs, storeTimeoutMs } = this.#options;
    return refreshTimeoutMs + 5 * storeTimeoutMs + 1_000;
  }

  async #acquire(lock: SessionLock, { id }: Session): Promise<Release | undefined> {
    const { storeTimeoutMs } = this.#options;
    const acquired = Promise.resolve().then(() => lock.acquire(keyOf(id), this.#lockTtlMs));
    const timer = new AbortController();
    const late = Symbol('late');
    try {
      const first = await Promise.race([acquired, pause(storeTimeoutMs, late, { signal: timer.signal })]);
      if (first !== late) return first as Release | undefined;
    } catch (cause) {
      const reason = isError(cause) ? cause.message : String(cause);
      throw new SessionStoreError(`The session lock failed: ${reason}`, { cause });
    } finally {
      timer.abort();
    }
    // If the lock is acquired after the timeout, nobody uses it.
    acquired.then((release) => release?.()).catch(() => {});
    throw new SessionStoreError(
      `The session lock did not respond within ${storeTimeoutMs} ms (session.storeTimeoutMs).`,
    );
  }

  async #leave(release: Release | undefined, written: Promise<void> | undefined): Promise<void> {
    if (release === undefined) return;
    await written;
    try {
      await release();
    } catch (error) {
      this.#options.logger.warn(
        'store_unavailable',
        'A session lock could not be released. It expires by itself.',
        failureDetails(error),
      );
    }
  }

  /** Resolves to the session as another process renewed or ended it, or to undefined if it's unchanged. */
  async #successorOf(session: Session): Promise<TokenRefreshResult | undefined> {
    const stored = await this.#records.get(session.id);
    if (stored === undefined) return { kind: 'ended' };
    // Not the refresh token: a service can keep it valid.
    if (stored.tokens.accessToken === session.tokens.accessToken) return undefined;
    return { kind: 'renewed', session: stored };
  }

  /** Handles a token that the service rejected. Another process may have sent it and may be writing its successor. */
  async #afterRejection(session: Session): Promise<TokenRefreshResult> {
    const records = this.#records;
    const { sessionLock: lock, logger } = this.#options;
    const waitMs = SUCCESSOR_WAIT_MS[lock === undefined ? 'unlocked' : 'locked'];
    const startedAt = performance.now();
    do {
      const newer = await this.#successorOf(session);
      if (newer !== undefined) return newer;
      await pause(POLL_MS);
    } while (performance.now() - startedAt < waitMs);
    try {
      await records.delete(session.id);
    } catch (error) {
      logger.warn(
        'store_unavailable',
        'An ended session could not be deleted from the store.',
        failureDetails(error),
      );
    }
    return { kind: 'ended' };
  }

  /** Writes the renewed session. If the store fails, `get` returns it from memory until a retry succeeds. */
  async #keep(session: Session): Promise<{ result: TokenRefreshResult; written?: Promise<void> }> {
    const records = this.#records;
    const { logger, discard } = this.#options;
    const renewed: TokenRefreshResult = { kind: 'renewed', session };
    records.prefer(session);
    let isWritten = false;
    let hasEnded = false;
    const write = async () => {
      hasEnded = await records.hasEnded(session.id);
      if (!hasEnded && !isWritten) {
        await records.set(session);
        isWritten = true;
        // The session may have ended between the check and the write.
        hasEnded = await records.hasEnded(session.id);
      }
      // Both happen before the lock is released, or another process would read and send the rotated token.
      if (hasEnded) await records.delete(session.id);
      else await records.shortenIfRetired(session);
      records.withdraw(session);
      if (hasEnded) void discard(session.tokens);
    };
    try {
      await write();
      return { result: hasEnded ? { kind: 'ended' } : renewed };
    } catch (error) {
      logger.error(
        'store_unavailable',
        'A renewed session could not be written to the store. This process keeps it in memory and retries.',
        failureDetails(error),
      );
      const written = retry(write, { maxPauseMs: WRITE_RETRY_MAX_PAUSE_MS }).catch((lastError: unknown) => {
        records.withdraw(session);
        logger.error(
          'store_unavailable',
          'A renewed session could not be written for ten minutes. Its visitor has to sign in again.',
          failureDetails(lastError),
        );
      });
      return { result: hasEnded ? { kind: 'ended' } : renewed, written };
    }
  }
}
