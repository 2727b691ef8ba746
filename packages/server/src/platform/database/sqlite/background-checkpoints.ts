import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../logging/logger.js';
import { PACKAGE_FOLDER } from '../../package-folder.js';
import type { SqliteConnection } from './node-sqlite.js';

/** Path of the database file, and the device and inode of the file that the program opened. */
export interface CheckpointThreadData {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** First patch version with the fix, by minor version of SQLite 3. Later minor versions have it from the start. */
const CORRECTED: ReadonlyMap<number, number> = new Map([
  [44, 6],
  [50, 7],
  [51, 3],
]);
const LAST_AFFECTED_MINOR = 51;

/**
 * True if a version of SQLite can lose committed writes when one connection runs a checkpoint while another one commits
 * (https://sqlite.org/wal.html#walresetbug). The commit can start the log over after the checkpoint has read where the
 * log ends; the checkpoint then marks pages as copied that it hasn't copied.
 */
export function hasCheckpointRace(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major > 3 || minor > LAST_AFFECTED_MINOR) return false;
  return patch < (CORRECTED.get(minor) ?? Number.POSITIVE_INFINITY);
}

/** Committed units of work between two checkpoints. A unit changes about ten pages of the file. */
const UNITS_PER_CHECKPOINT = 100;
/** Number of changed pages after which a commit also runs a checkpoint: SQLite's default. */
const PAGES_WITHOUT_THREAD = 1_000;
/**
 * The same number while the thread runs checkpoints. If commits never pause, the thread never catches up with the last
 * one, and the log of changes (WAL) would grow forever. At this size a commit completes the checkpoint, and the log
 * starts over.
 */
const PAGES_WITH_THREAD = 8_000;
/** Maximum memory of the thread's JavaScript, in MB. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };

/**
 * Runs a SQLite file's checkpoints in a thread. A checkpoint copies committed pages from the log (WAL) to the file and
 * waits for the disk. As part of a commit it would stop all requests meanwhile: for 20 ms or more, if the file is
 * large.
 *
 * The thread starts once enough has been written. If it fails, commits run the checkpoints again, as they always do on
 * versions of SQLite where a thread could lose writes.
 */
export class BackgroundCheckpoints {
  readonly #writer: SqliteConnection;
  readonly #logger: Logger;
  readonly #threadFile: string;
  readonly #threadData: CheckpointThreadData;
  #thread: Worker | undefined;
  /** Units committed since the last checkpoint began. */
  #units = 0;
  #isRunning = false;
  #isOver = false;

  constructor({
    path,
    writer,
    logger,
    threadFile = join(PACKAGE_FOLDER, 'dist/checkpoint-thread.js'),
    sqliteVersion = versionOf(writer),
  }: {
    path: string;
    writer: SqliteConnection;
    logger: Logger;
    threadFile?: string;
    sqliteVersion?: string;
  }) {
    this.#writer = writer;
    this.#logger = logger;
    this.#threadFile = threadFile;
    // The thread opens the file later. Until then, the program can change its working directory, and the file can be
    // replaced.
    const { dev, ino } = statSync(path, { bigint: true });
    this.#threadData = { path: resolve(path), dev, ino };
    this.#isOver = hasCheckpointRace(sqliteVersion);
  }

  /** Counts committed units of work, and starts a checkpoint when it's time for one. */
  committed(units: number): void {
    this.#units += units;
    if (this.#units < UNITS_PER_CHECKPOINT || this.#isRunning || this.#isOver) return;
    this.#units = 0;
    this.#isRunning = true;
    try {
      this.#thread ??= this.#startThread();
      this.#thread.postMessage('checkpoint');
    } catch (error) {
      // Node.js's permission model can forbid threads. The commit itself has succeeded.
      this.#fail(error);
    }
  }

  async close(): Promise<void> {
    const thread = this.#isOver ? undefined : this.#thread;
    this.#isOver = true;
    if (thread === undefined) return;
    const exited = new Promise((settle) => thread.once('exit', settle));
    thread.ref();
    thread.postMessage('close');
    await exited;
  }

  #startThread(): Worker {
    const thread = new Worker(this.#threadFile, {
      workerData: this.#threadData,
      resourceLimits: THREAD_MEMORY,
      // Keeps the program's loaders and the modules of `NODE_OPTIONS` out of the thread, which has little memory.
      execArgv: [],
      env: {},
    });
    thread.unref();
    thread.once('message', () => this.#checkpointInCommitAfter(PAGES_WITH_THREAD));
    thread.on('message', () => {
      this.#isRunning = false;
    });
    thread.on('error', (error) => this.#fail(error));
    thread.once('exit', (code) => this.#fail(`exit code ${code}`));
    return thread;
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#checkpointInCommitAfter(PAGES_WITHOUT_THREAD);
    this.#isOver = true;
    this.#logger.warn(
      { file: this.#threadData.path, error: String(error) },
      'The thread for checkpoints of the database file failed. Commits run them instead',
    );
  }

  #checkpointInCommitAfter(pages: number): void {
    if (this.#isOver) return;
    this.#writer.query({ sql: `PRAGMA wal_autocheckpoint = ${pages}`, parameters: [] });
  }
}

function versionOf(connection: SqliteConnection): string {
  const statement = { sql: 'select sqlite_version() as version', parameters: [] };
  const rows: readonly { version: string }[] = connection.query(statement).rows;
  return rows[0]?.version ?? '';
}
