import { systemClock } from '../../platform/clock.js';
import { SessionStoreError } from '../model/session-store.js';
import type { ExpressSessionStore, StoredSession } from './express-session-store.js';

/** Value and lifetime of a record. */
export interface StoredValue {
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
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SessionStoreError(`The session store failed at ${name}: ${reason}`, { cause });
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
