import { setTimeout as wait } from 'node:timers/promises';
import { isSqliteBusy, type SqliteConnection } from './node-sqlite.js';

/** Maximum wait for another process that writes to the same file, in milliseconds. */
const LOCK_TIMEOUT_MS = 5_000;
/** Maximum pause between two attempts to get the lock, in milliseconds. */
const LOCK_RETRY_MAX_MS = 10;

/** Units of work that are committed together. */
interface CommitGroup {
  /** Resolves once the group is on disk; rejects if the group is rolled back. */
  readonly durable: Promise<void>;
  readonly settle: (error?: unknown) => void;
}

function newGroup(): CommitGroup {
  let settle: CommitGroup['settle'] = () => undefined;
  const durable = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Every unit in the group awaits the promise. Without units, a rejection would be unhandled.
  durable.catch(() => undefined);
  return { durable, settle };
}

/**
 * Queue for the only connection that writes to a SQLite database. Units of work run one after another, each in its own
 * savepoint, so a failed unit undoes only its own changes. Units that arrive before a commit join it, so one disk flush
 * serves all of them. No unit is acknowledged before it is on disk.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #group: CommitGroup | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Waits for its turn and starts a unit of work. All queries until {@link end} belong to it. */
  async begin(): Promise<void> {
    await this.#enter();
    try {
      if (this.#group === undefined) await this.#openGroup();
      this.#run('savepoint work');
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /**
   * Ends the current unit of work. Resolves once the unit is on disk. A rolled-back unit waits for that too, because it
   * may have read what earlier units of the group wrote.
   */
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

  /** Commits the open group and closes the connection. */
  async close(): Promise<void> {
    if (this.#group !== undefined) await this.#commit(this.#group);
    this.#connection.close();
  }

  async #openGroup(): Promise<void> {
    await this.#lock();
    const group = newGroup();
    this.#group = group;
    // Requests that have already arrived are read before the callback runs. Their units join the group.
    setImmediate(() => void this.#commit(group));
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
      this.#run('commit');
      this.#group = undefined;
      group.settle();
    } catch (error) {
      this.#abort(error);
    } finally {
      this.#leave();
    }
  }

  /** Rolls back the group and rejects all of its units. */
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
