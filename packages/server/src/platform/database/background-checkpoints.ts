import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../logging/logger.js';
import { PACKAGE_FOLDER } from '../package-folder.js';
import type { SqliteConnection } from './node-sqlite.js';

/** Committed units of work between two checkpoints. A unit changes about ten pages of the file. */
const UNITS_PER_CHECKPOINT = 100;
/** SQLite's default for the number of changed pages after which a commit also runs a checkpoint. */
const PAGES_WITHOUT_THREAD = 1_000;
/**
 * The same number while the thread runs checkpoints. Without a pause between the commits, the thread never catches up with the
 * last one, and the log of changes (WAL) would grow forever. A commit then completes the checkpoint, and the log starts over.
 */
const PAGES_WITH_THREAD = 8_000;
/** Maximum memory of the thread's JavaScript, in MB. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };

/** Options of {@link BackgroundCheckpoints}. */
export interface BackgroundCheckpointsOptions {
  /** Path of the database file. */
  path: string;
  /** Connection that commits. */
  writer: SqliteConnection;
  logger: Logger;
  /** @default the file of this package */
  threadFile?: string;
}

/**
 * Runs the checkpoints of a SQLite file in a thread. A checkpoint copies committed pages from the log (WAL) to the file and waits
 * for the disk. In a commit it would stop all requests meanwhile, in a large file for 20 ms and more.
 *
 * The thread starts once enough was written. If it fails, commits run the checkpoints again.
 */
export class BackgroundCheckpoints {
  readonly #options: Required<BackgroundCheckpointsOptions>;
  #thread: Worker | undefined;
  /** Units that were committed since the last checkpoint began. */
  #units = 0;
  #isRunning = false;
  #isOver = false;

  constructor({
    threadFile = join(PACKAGE_FOLDER, 'dist/checkpoint-thread.js'),
    ...options
  }: BackgroundCheckpointsOptions) {
    // The thread opens the file later, when the program may have changed its working directory.
    this.#options = { ...options, threadFile, path: resolve(options.path) };
  }

  /** Counts committed units of work, and starts a checkpoint if it is time for one. */
  committed(units: number): void {
    this.#units += units;
    if (this.#units < UNITS_PER_CHECKPOINT || this.#isRunning || this.#isOver) return;
    this.#units = 0;
    this.#isRunning = true;
    try {
      this.#thread ??= this.#startThread();
      this.#thread.postMessage('checkpoint');
    } catch (error) {
      // Node's permission model can refuse threads. The commit itself has succeeded.
      this.#fail(error);
    }
  }

  /** Ends the thread after its running checkpoint. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (this.#isOver || thread === undefined) {
      this.#isOver = true;
      return;
    }
    this.#isOver = true;
    const exited = new Promise((settle) => thread.once('exit', settle));
    thread.ref();
    thread.postMessage('close');
    await exited;
  }

  #startThread(): Worker {
    const { path, threadFile } = this.#options;
    // `execArgv` keeps the program's loaders out of the thread.
    const thread = new Worker(threadFile, { workerData: path, execArgv: [], resourceLimits: THREAD_MEMORY });
    thread.unref();
    thread.once('message', () => this.#checkpointInCommitAfter(PAGES_WITH_THREAD));
    thread.on('message', () => {
      this.#isRunning = false;
    });
    thread.on('error', (error) => this.#fail(error));
    return thread;
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#checkpointInCommitAfter(PAGES_WITHOUT_THREAD);
    this.#isOver = true;
    const { logger, path } = this.#options;
    logger.warn(
      { file: path, error: String(error) },
      'The thread for checkpoints of the database file failed. Commits run them instead',
    );
  }

  #checkpointInCommitAfter(pages: number): void {
    if (this.#isOver) return;
    this.#options.writer.query({ sql: `PRAGMA wal_autocheckpoint = ${pages}`, parameters: [] });
  }
}
