import type { ExpressSessionStore, SessionLock, StoredSession } from '@latchkey/express';
import type { Action } from './schedule.ts';

/** Call of a process to the store or the lock, on its way. */
interface StoreCall {
  readonly name: string;
  readonly owner: object;
  /** Applies the call and returns its result to the process. */
  run(): void;
  /** Fails the call. It may have been applied. */
  fail(isApplied: boolean): void;
}

/** Session store and lock that the processes of one app share. Calls wait until the simulation runs them. */
export class SharedStore {
  readonly waiting: StoreCall[] = [];
  readonly #now: () => number;
  readonly #records = new Map<string, { text: string; until: number }>();
  readonly #locks = new Map<string, { holder: object; until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The store, as one process calls it. */
  storeOf(owner: object): ExpressSessionStore {
    const call = (name: string, apply: () => unknown, done: (error?: unknown, value?: unknown) => void) =>
      this.#add(owner, name, {
        apply,
        resolve: (value) => done(null, value),
        reject: (error) => done(error),
      });
    const write = (id: string, session: StoredSession) => () => {
      this.#records.set(id, {
        text: JSON.stringify(session),
        until: this.#now() + session.cookie.originalMaxAge,
      });
    };
    return {
      get: (id, done) => call('get', () => this.#read(id), done),
      set: (id, session, done = () => undefined) => call('set', write(id, session), done),
      destroy: (id, done = () => undefined) => call('destroy', () => void this.#records.delete(id), done),
      touch: (id, session, done = () => undefined) =>
        call('touch', () => (this.#read(id) === undefined ? undefined : write(id, session)()), done),
    };
  }

  /** The lock, as one process calls it. A lock that is not released expires. */
  lockOf(owner: object): SessionLock {
    return {
      acquire: (key, ttlMs) =>
        new Promise((resolve, reject) => {
          this.#add(owner, 'lock', {
            apply: () => this.#acquire(key, ttlMs),
            resolve: (release) => resolve(release as (() => Promise<void>) | undefined),
            reject,
          });
        }),
    };
  }

  /** The steps of the store: each call runs, or fails. */
  actions(canFail: boolean): Action[] {
    return this.waiting.flatMap((call, index) => [
      { name: `${call.name} (call ${index + 1})`, weight: 14, run: () => call.run() },
      ...(canFail
        ? [
            { name: `fail ${call.name} (call ${index + 1})`, weight: 1, run: () => call.fail(false) },
            {
              name: `lose the result of ${call.name} (call ${index + 1})`,
              weight: 1,
              run: () => call.fail(true),
            },
          ]
        : []),
    ]);
  }

  /** Drops the calls of a process that has ended. */
  forget(owner: object): void {
    const rest = this.waiting.filter((call) => call.owner !== owner);
    this.waiting.splice(0, this.waiting.length, ...rest);
  }

  #add(
    owner: object,
    name: string,
    call: { apply(): unknown; resolve(value: unknown): void; reject(error: unknown): void },
  ): void {
    const remove = () => void this.waiting.splice(this.waiting.indexOf(entry), 1);
    const entry: StoreCall = {
      name,
      owner,
      run() {
        remove();
        call.resolve(call.apply());
      },
      fail(isApplied) {
        remove();
        if (isApplied) call.apply();
        call.reject(new Error('The store does not respond.'));
      },
    };
    this.waiting.push(entry);
  }

  #read(id: string): unknown {
    const record = this.#records.get(id);
    return record === undefined || this.#now() >= record.until ? undefined : JSON.parse(record.text);
  }

  #acquire(key: string, ttlMs: number): (() => Promise<void>) | undefined {
    const held = this.#locks.get(key);
    if (held !== undefined && this.#now() < held.until) return undefined;
    const holder = {};
    this.#locks.set(key, { holder, until: this.#now() + ttlMs });
    return async () => {
      if (this.#locks.get(key)?.holder === holder) this.#locks.delete(key);
    };
  }
}
