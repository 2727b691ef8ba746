import { createHash } from 'node:crypto';
import { isError } from '@latchkey/contract/constants';
import QuickLRU from 'quick-lru';
import { systemClock } from '../platform/clock.js';
import type { ExpressSessionStore, StoredSession } from '../stores/kit-store.js';
import { createSeal, type Seal } from './seal.js';
import {
  packSession,
  RETIRED_LIFETIME_MS,
  type Session,
  SessionStoreError,
  type SessionStoreOptions,
  unpackSession,
} from './session.js';

/** Maximum number of decrypted records in memory: unchanged ones aren't decrypted again. */
const MAX_DECRYPTED = 2_000;
const MAX_ENDED = 10_000;
const MAX_RETIRED = 5_000;
const MAX_REPORTED = 50;
/** Lifetime of the markers of ended and retired sessions, in milliseconds. Longer than any refresh takes. */
const MARKER_TTL_MS = 15 * 60_000;
const ENDED_MARKER = 'ended';
const RETIRED_MARKER = 'retired';

/**
 * Session records in a store. A record's key is a hash of the session id, and its content is encrypted, so read access
 * to the store isn't enough to take over a session or use its tokens. The encrypted content includes the key, so write
 * access isn't enough to swap two sessions.
 */
export class StoredSessions {
  readonly #calls: StoreCalls;
  readonly #seal: Seal;
  readonly #options: SessionStoreOptions;
  readonly #decrypted = new QuickLRU<string, { text: string; session: Session }>({ maxSize: MAX_DECRYPTED });
  readonly #ended = new QuickLRU<string, true>({ maxSize: MAX_ENDED });
  readonly #retired = new QuickLRU<string, true>({ maxSize: MAX_RETIRED });
  readonly #reported = new QuickLRU<string, true>({ maxSize: MAX_REPORTED });
  /** Renewed sessions that the store hasn't accepted yet. */
  readonly #unwritten = new Map<string, Session>();

  constructor(store: ExpressSessionStore, options: SessionStoreOptions) {
    const { cookieSecrets, instance, storeTimeoutMs } = options;
    this.#options = options;
    this.#calls = new StoreCalls(store, storeTimeoutMs);
    this.#seal = createSeal(cookieSecrets, `stored session ${instance}`);
  }

  /** Reads the session from the store. Resolves to undefined if there is no readable record. */
  async get(id: string): Promise<Session | undefined> {
    const key = keyOf(id);
    const record = await this.#calls.get(key);
    if (record === undefined || record === null) return undefined;
    if (this.#unwritten.size > 0) {
      const unwritten = this.#unwritten.get(id);
      if (unwritten !== undefined) return unwritten;
    }
    const text = textOf(record);
    const decrypted = this.#decrypted.get(id);
    return decrypted !== undefined && decrypted.text === text
      ? decrypted.session
      : this.#decrypt({ id, key, text });
  }

  async #decrypt(record: { id: string; key: string; text: unknown }): Promise<Session | undefined> {
    const { id, key, text } = record;
    const { logger } = this.#options;
    const session = typeof text === 'string' ? unpackSession(await this.#seal.open(text)) : undefined;
    if (typeof text === 'string' && session?.id === key) {
      const found = { ...session, id };
      this.#decrypted.set(id, { text, session: found });
      return found;
    }
    if (!this.#reported.has(key)) {
      this.#reported.set(key, true);
      logger.warn(
        'session_unreadable',
        'A session in the store cannot be read, so its visitor is not signed in. Possible causes: another version wrote it, its cookieSecret is no longer listed, or another program uses the same store and prefix.',
        { key },
      );
    }
    return undefined;
  }

  async set(session: Session): Promise<void> {
    const key = keyOf(session.id);
    const text = await this.#seal.seal(packSession({ ...session, id: key }));
    await this.#calls.set(key, { text, ttlMs: this.#remainingMs(session) });
    this.#decrypted.set(session.id, { text, session });
  }

  /** Extends the lifetime of the record. Doesn't change its content, which another process may have renewed. */
  async touch(session: Session): Promise<void> {
    await this.#extend(session.id, this.#decrypted.get(session.id)?.text, this.#remainingMs(session));
  }

  /**
   * Shortens the lifetime of the record to {@link RETIRED_LIFETIME_MS}. Writes a marker first, which a refresh in
   * progress in another process checks: otherwise it would write the record with a full lifetime. Later refreshes
   * aren't sent, see {@link wasRetired}.
   */
  async retire(session: Session): Promise<void> {
    this.#retired.set(session.id, true);
    await this.#calls.set(retiredMarkerKey(session.id), {
      text: RETIRED_MARKER,
      ttlMs: MARKER_TTL_MS,
    });
    // Another process may have renewed the session since this one read it. A renewal that is written from here on can
    // still be undone: stores have no conditional write.
    const current = textOf(await this.#calls.get(keyOf(session.id)));
    await this.#shorten(session, current);
  }

  /** True if this process has called `retire`. */
  wasRetiredHere(id: string): boolean {
    return this.#retired.has(id);
  }

  /** Resolves to true if any process has called `retire`. The record may then contain a rotated token. */
  async wasRetired(id: string): Promise<boolean> {
    if (this.#retired.has(id)) return true;
    return textOf(await this.#calls.get(retiredMarkerKey(id))) === RETIRED_MARKER;
  }

  /** Shortens the lifetime of a record that was just written, if the session has been retired. */
  async shortenIfRetired(session: Session): Promise<void> {
    if (await this.wasRetired(session.id))
      await this.#shorten(session, this.#decrypted.get(session.id)?.text);
  }

  async #shorten({ id }: Session, content: unknown): Promise<void> {
    if (this.#calls.canTouch) await this.#extend(id, content, RETIRED_LIFETIME_MS);
    else await this.delete(id);
  }

  /** Changes the lifetime of a record. Some stores write the content that `touch` receives, so it must be the newest. */
  async #extend(id: string, text: unknown, ttlMs: number): Promise<void> {
    if (typeof text === 'string') await this.#calls.touch(keyOf(id), { text, ttlMs });
  }

  async delete(id: string): Promise<void> {
    await this.#calls.destroy(keyOf(id));
  }

  /**
   * Ends the session and deletes its record. Writes a marker first, which a refresh in progress in another process
   * checks after writing: no record remains, whichever runs first.
   * @returns the deleted session. A refresh that wrote it before the marker hasn't seen the marker, so the caller
   * revokes its tokens. A later refresh revokes its own.
   */
  async end(id: string): Promise<Session | undefined> {
    this.#ended.set(id, true);
    await this.#calls.set(endedMarkerKey(id), { text: ENDED_MARKER, ttlMs: MARKER_TTL_MS });
    // The deletion must not depend on the content being readable.
    const last = await this.get(id).catch(() => undefined);
    await this.delete(id);
    return last;
  }

  /** True if this process has called `end`. */
  hasEndedHere(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Resolves to true if any process has called `end`. */
  async hasEnded(id: string): Promise<boolean> {
    if (this.#ended.has(id)) return true;
    return textOf(await this.#calls.get(endedMarkerKey(id))) === ENDED_MARKER;
  }

  /** Makes `get` return this session instead of the record, until {@link withdraw} is called. */
  prefer(session: Session): void {
    this.#unwritten.set(session.id, session);
  }

  /** Reverses {@link prefer}. */
  withdraw(session: Session): void {
    if (this.#unwritten.get(session.id) === session) this.#unwritten.delete(session.id);
  }

  #remainingMs({ createdAt, seenAt }: Session): number {
    const { absoluteMs, rollingMs, clock } = this.#options;
    const absoluteEnd = createdAt + absoluteMs;
    // Without touch, the record must last until the absolute end. The cookie contains the time of the last use.
    const end = this.#calls.canTouch ? Math.min(absoluteEnd, seenAt + rollingMs) : absoluteEnd;
    return end - clock.now();
  }
}

/** Returns the key of a session's record and lock: a hash that doesn't reveal the id. */
export function keyOf(id: string): string {
  const cached = keys.get(id);
  if (cached !== undefined) return cached;
  const key = createHash('sha256').update(`latchkey session ${id}`).digest('base64url');
  keys.set(id, key);
  return key;
}

const keys = new QuickLRU<string, string>({ maxSize: MAX_DECRYPTED });

const endedMarkerKey = (id: string) => `${keyOf(id)}-ended`;

const retiredMarkerKey = (id: string) => `${keyOf(id)}-retired`;

function textOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, 'latchkey') : undefined;
}

interface StoredValue {
  text: string;
  /** Milliseconds from now. */
  ttlMs: number;
}

/** Wraps the callbacks of an express-session store in promises with a timeout. */
export class StoreCalls {
  readonly #store: ExpressSessionStore;
  readonly #timeoutMs: number;

  constructor(store: ExpressSessionStore, timeoutMs: number) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
  }

  /** True if the store can extend the lifetime of a record. */
  get canTouch(): boolean {
    return typeof this.#store.touch === 'function';
  }

  /** Returns the record in whatever form the store uses, or null or undefined if there is none. */
  get(key: string): Promise<unknown> {
    return this.#call('get', (done) => this.#store.get(key, done));
  }

  async set(key: string, value: StoredValue): Promise<void> {
    await this.#call('set', (done) => this.#store.set(key, record(value), done));
  }

  /** Extends the lifetime of a record. Does nothing if the store has no `touch`. */
  async touch(key: string, value: StoredValue): Promise<void> {
    if (this.canTouch) await this.#call('touch', (done) => this.#store.touch?.(key, record(value), done));
  }

  async destroy(key: string): Promise<void> {
    await this.#call('destroy', (done) => this.#store.destroy(key, done));
  }

  #call(
    name: string,
    start: (done: (error?: unknown, value?: unknown) => void) => unknown,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new SessionStoreError(
            `The session store did not respond to ${name} within ${this.#timeoutMs} ms (session.storeTimeoutMs).`,
          ),
        );
      }, this.#timeoutMs);
      const done = (error?: unknown, value?: unknown) => {
        clearTimeout(timer);
        if (error === undefined || error === null) resolve(value);
        // As in express-session, a missing file means that there is no session.
        else if (name === 'get' && isMissingFile(error)) resolve(undefined);
        else reject(failure(name, error));
      };
      try {
        const returned = start(done);
        // Stores with asynchronous methods may reject in addition to calling back.
        if (returned instanceof Promise) returned.catch(done);
      } catch (error) {
        done(error);
      }
    });
  }
}

/** Formats a record as express-session does. Stores use the system clock, so `expires` does too. */
function record({ text, ttlMs }: StoredValue): StoredSession {
  const maxAge = Math.max(1000, Math.ceil(ttlMs));
  const expires = new Date(systemClock.now() + maxAge);
  return { cookie: { originalMaxAge: maxAge, maxAge, expires, httpOnly: true, path: '/' }, latchkey: text };
}

function failure(name: string, cause: unknown): SessionStoreError {
  const reason = isError(cause) ? cause.message : String(cause);
  return new SessionStoreError(`The session store failed at ${name}: ${reason}`, { cause });
}

function isMissingFile(error: unknown): boolean {
  return isError(error) && 'code' in error && error.code === 'ENOENT';
}
