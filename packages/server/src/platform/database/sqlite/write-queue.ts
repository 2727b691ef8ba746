import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { isSqliteBusy, type SqliteConnection } from './node-sqlite.js';

/** SQLite serves them in no particular order: a busy process can take the lock many times before another gets it. */
const LOCK_TIMEOUT_MS = 15_000;
/** Maximum pause between two attempts to get the lock, in milliseconds. */
const LOCK_RETRY_MAX_MS = 10;

/** How long to wait for more units before a commit, in milliseconds. It limits what a slow disk adds to a response time. */
const GATHER_MAX_MS = 5;

interface CommitGroup {
  units: number;
  /** Resolves once the group is on disk; rejects if the group is rolled back. */
  readonly durable: Promise<void>;
  readonly settle: (error?: unknown) => void;
}

function newGroup(): CommitGroup {
  let settle: CommitGroup['settle'] = () => undefined;
  const durable = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Every unit in the group awaits the promise, but without units a rejection would be unhandled.
  durable.catch(() => undefined);
  return { units: 0, durable, settle };
}

/**
 * The queue for the only connection that writes to a SQLite database. Units of work run one after another, each in its
 * own savepoint, so a failed unit undoes only its own changes. Units that arrive before a commit join it, and one disk
 * flush serves them all. No unit is acknowledged before it's on disk.
 *
 * After a commit, all of its callers continue at once. The first one to write again would get a disk flush for itself,
 * while all others wait. So a commit waits for as many units as the previous one had, for at most half the time that
 * the previous one took. A caller that writes alone never waits.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection;
  readonly #onCommit: (units: number) => void;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #group: CommitGroup | undefined;
  #last = { units: 0, ms: 0 };

  /** @param onCommit receives the number of units of each commit. @default nothing is called */
  constructor(connection: SqliteConnection, onCommit: (units: number) => void = () => undefined) {
    this.#connection = connection;
    this.#onCommit = onCommit;
  }

  /** Waits for its turn and starts a unit of work. All queries until {@link end} belong to it. */
  async begin(): Promise<void> {
    await this.#enter();
    try {
      const group = this.#group ?? (await this.#openGroup());
      this.#run('savepoint work');
      group.units += 1;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** A rolled-back unit waits until it's on disk too: it may have read what earlier units of the group wrote. */
  async end(action: 'commit' | 'rollback'): Promise<void> {
    const group = this.#group;
    try {
      if (action === 'rollback') this.#run('rollback to work');
      this.#run('release work');
    } catch (error) {
      // After some disk errors SQLite rolls back the whole transaction with its savepoints.
      this.#abort(error);
    } finally {
      this.#leave();
    }
    if (action === 'commit') await group?.durable;
    else await group?.durable.catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#group !== undefined) await this.#commit(this.#group);
    this.#connection.close();
  }

  async #openGroup(): Promise<CommitGroup> {
    await this.#lock();
    const group = newGroup();
    this.#group = group;
    // Requests that have already arrived are read before the callback runs, so their units join the group.
    setImmediate(() => void this.#gather(group).then(() => this.#commit(group)));
    return group;
  }

  /** Waits for as many units as the last group had. */
  async #gather(group: CommitGroup): Promise<void> {
    const { units, ms } = this.#last;
    const deadline = performance.now() + Math.min(ms / 2, GATHER_MAX_MS);
    while (this.#group === group && group.units < units) {
      const left = deadline - performance.now();
      if (left <= 0) return;
      // A timer can't be shorter than a millisecond, which is longer than a commit on a fast disk.
      await (left > 1 ? wait(1) : nextTurn());
    }
  }

  /** Takes the write lock of the file. The wait must not block the process, which may hold the lock itself. */
  async #lock(): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        this.#run('begin immediate');
        return;
      } catch (error) {
        if (!isSqliteBusy(error) || performance.now() > deadline) throw error;
      }
      await wait(Math.random() * LOCK_RETRY_MAX_MS);
    }
  }

  async #commit(group: CommitGroup): Promise<void> {
    await this.#enter({ isFirst: true });
    try {
      if (this.#group !== group) return;
      const started = performance.now();
      this.#run('commit');
      this.#last = { units: group.units, ms: performance.now() - started };
      this.#group = undefined;
      group.settle();
      this.#onCommit(group.units);
    } catch (error) {
      this.#abort(error);
    } finally {
      this.#leave();
    }
  }

  #abort(error: unknown): void {
    try {
      this.#run('rollback');
    } catch {
      // SQLite already rolled it back.
    }
    this.#group?.settle(error);
    this.#group = undefined;
  }

  #run(sql: string): void {
    this.#connection.query({ sql, parameters: [] });
  }

  async #enter({ isFirst = false } = {}): Promise<void> {
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    await new Promise<void>((resolve) => {
      if (isFirst) this.#waiting.unshift(resolve);
      else this.#waiting.push(resolve);
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isBusy = false;
    else next();
  }
}
