import { systemClock } from '../clock.js';
import type { ExpressSessionStore, StoredSession } from './express-session-store.js';
import { SessionStoreError } from './session-store.js';

/** A value to keep, and for how many milliseconds from now. */
export interface Keepsake {
  text: string;
  lifeMs: number;
}

/** An express-session store with promises, each of which settles in time. */
export class StoreCalls {
  readonly #store: ExpressSessionStore;
  readonly #timeoutMs: number;

  constructor(store: ExpressSessionStore, timeoutMs: number) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
  }

  /** True when the store can prolong what it keeps without being given it again. */
  get canTouch(): boolean {
    return typeof this.#store.touch === 'function';
  }

  /** What the store has under the key, whatever it is; null or undefined for nothing. */
  get(key: string): Promise<unknown> {
    return this.#call('get', (done) => this.#store.get(key, done));
  }

  async set(key: string, keepsake: Keepsake): Promise<void> {
    await this.#call('set', (done) => this.#store.set(key, record(keepsake), done));
  }

  /** Prolongs what is there; without `touch` in the store it does nothing. */
  async touch(key: string, keepsake: Keepsake): Promise<void> {
    if (this.canTouch) await this.#call('touch', (done) => this.#store.touch?.(key, record(keepsake), done));
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
            `The session store has not answered ${name} within ${this.#timeoutMs} ms (session.storeTimeoutMs).`,
          ),
        );
      }, this.#timeoutMs);
      const done = (error?: unknown, value?: unknown) => {
        clearTimeout(timer);
        if (error === undefined || error === null) resolve(value);
        // As express-session has it: a file that is not there is no session, and no failure.
        else if (name === 'get' && isMissingFile(error)) resolve(undefined);
        else reject(failure(name, error));
      };
      try {
        const returned = start(done);
        // Stores whose methods are asynchronous may reject beside calling back.
        if (returned instanceof Promise) returned.catch(done);
      } catch (error) {
        done(error);
      }
    });
  }
}

/** As express-session would give it. Stores count by the machine's clock, so the end is told by that one. */
function record({ text, lifeMs }: Keepsake): StoredSession {
  const maxAge = Math.max(1000, Math.ceil(lifeMs));
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
