import { setTimeout as wait } from 'node:timers/promises';
import { isSqliteBusy, type SqliteConnection } from './node-sqlite.js';

/** How long a transaction waits for another process that writes to the same file, in milliseconds. */
const LOCK_TIMEOUT_MS = 5_000;
const LONGEST_LOCK_PAUSE_MS = 10;

/** Works that are committed together. */
interface Group {
  /** Fulfilled once the group is on the disk; rejected when none of it is kept. */
  readonly durable: Promise<void>;
  readonly settle: (error?: unknown) => void;
}

function newGroup(): Group {
  let settle: Group['settle'] = () => undefined;
  const durable = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Whoever has a work in the group awaits it; there may be none left.
  durable.catch(() => undefined);
  return { durable, settle };
}

/**
 * The one connection that writes to a SQLite database. Works run one after another, each in a savepoint of its own: what
 * one undoes or fails at is its alone. Works that arrive while a commit is about to be made join it, so that many of them
 * wait for the disk once. None of them is acknowledged before it is on the disk.
 */
export class WriteLane {
  readonly #connection: SqliteConnection;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #group: Group | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Starts a work; fulfilled when it is its turn. Everything until {@link end} belongs to it. */
  async begin(): Promise<void> {
    await this.#takeTurn();
    try {
      if (this.#group === undefined) await this.#openGroup();
      this.#run('savepoint work');
    } catch (error) {
      this.#passTurn();
      throw error;
    }
  }

  /**
   * Ends the work whose turn it is. Fulfilled when it is on the disk; also an undone work waits for that, because it may
   * have failed at what works before it did.
   */
  async end(outcome: 'keep' | 'undo'): Promise<void> {
    const group = this.#group;
    try {
      if (outcome === 'undo') this.#run('rollback to work');
      this.#run('release work');
    } catch (error) {
      // Some failures of the disk make SQLite roll back the transaction as a whole, with its savepoints.
      this.#giveUp(error);
    } finally {
      this.#passTurn();
    }
    if (outcome === 'keep') await group?.durable;
    else await group?.durable.catch(() => undefined);
  }

  /** Ends the lane; what is open is committed. */
  async close(): Promise<void> {
    if (this.#group !== undefined) await this.#commit(this.#group);
    this.#connection.close();
  }

  async #openGroup(): Promise<void> {
    await this.#lock();
    const group = newGroup();
    this.#group = group;
    // Once the requests that have arrived by now are read: their works join.
    setImmediate(() => void this.#commit(group));
  }

  /** Takes the write lock of the file. Waiting for it must not block the process: the lock may be held in this one. */
  async #lock(): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        this.#run('begin immediate');
        return;
      } catch (error) {
        if (!isSqliteBusy(error) || performance.now() > deadline) throw error;
      }
      await wait(Math.random() * LONGEST_LOCK_PAUSE_MS);
    }
  }

  async #commit(group: Group): Promise<void> {
    await this.#takeTurn({ isFirst: true });
    try {
      if (this.#group !== group) return;
      this.#run('commit');
      this.#group = undefined;
      group.settle();
    } catch (error) {
      this.#giveUp(error);
    } finally {
      this.#passTurn();
    }
  }

  /** Nothing of the group is kept, and everybody in it is told. */
  #giveUp(error: unknown): void {
    try {
      this.#run('rollback');
    } catch {
      // It was rolled back already.
    }
    this.#group?.settle(error);
    this.#group = undefined;
  }

  #run(sql: string): void {
    this.#connection.query({ sql, parameters: [] });
  }

  async #takeTurn({ isFirst = false } = {}): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return;
    }
    await new Promise<void>((resolve) => {
      if (isFirst) this.#waiting.unshift(resolve);
      else this.#waiting.push(resolve);
    });
  }

  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
