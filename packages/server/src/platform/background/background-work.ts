import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { SelectQueryBuilder } from '../database/kysely.js';
import { batchesOf } from '../database/rows.js';
import type { Logger } from '../logging/logger.js';

/** Part of the background work. Any number of processes may run it at once: the database decides which of them handles a row. */
export interface Worker {
  readonly name: string;
  /** Does all due work and returns the number of items. The signal stops it between two items. */
  runOnce(signal: AbortSignal): Promise<number>;
}

/** Workers that run one after another, then pause. Several rounds run in parallel. */
export interface WorkerRound {
  workers: readonly Worker[];
  /** Pause between rounds, in milliseconds of real time. The service's clock decides what is due. */
  everyMs: number;
}

/** Creates the work that a process does in addition to answering requests. */
export function createBackgroundWork(rounds: readonly WorkerRound[], logger: Logger) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const timers = new Map<WorkerRound, NodeJS.Timeout>();
  /** A process runs one task of a round at a time, so it never handles a row twice at once. */
  const last = new Map<WorkerRound, Promise<unknown>>();

  const enqueue = (round: WorkerRound, work: () => Promise<void>): Promise<void> => {
    const task = (last.get(round) ?? Promise.resolve()).then(work);
    last.set(
      round,
      task.catch(() => undefined),
    );
    return task;
  };

  async function runRound({ workers }: WorkerRound): Promise<void> {
    for (const worker of workers) {
      if (signal.aborted) return;
      try {
        await worker.runOnce(signal);
      } catch (error) {
        // The next round tries again.
        logger.error({ worker: worker.name, error }, 'Background work failed');
      }
    }
  }

  const schedule = (round: WorkerRound) => {
    if (signal.aborted) return;
    const timer = setTimeout(
      () => void enqueue(round, () => runRound(round)).then(() => schedule(round)),
      round.everyMs,
    );
    timers.set(round, timer.unref());
  };

  return {
    /** Starts the rounds. Each one begins with its pause. */
    start() {
      if (timers.size === 0) rounds.forEach(schedule);
    },
    /** Does all due work. Resolves when nothing is due. */
    async runDue() {
      for (const round of rounds) {
        await enqueue(round, async () => {
          for (const worker of round.workers) while (!signal.aborted && (await worker.runOnce(signal)) > 0);
        });
      }
    },
    /** Waits for the running item; no other one starts. */
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(last.values());
    },
  };
}

export type BackgroundWork = ReturnType<typeof createBackgroundWork>;

const BATCH_SIZE = 100;

interface DueRows<DB, TB extends keyof DB, Row> {
  due(): SelectQueryBuilder<DB, TB, Row>;
  /** Columns that identify a row, order the rows, and aren't changed by `handle`. */
  by: readonly string[];
  /** Handles one row in its own transaction. False if another process already handled it. The signal ends any waiting. */
  handle(row: Row, signal: AbortSignal): Promise<boolean>;
  /** How many rows are handled at once. @default 1 */
  concurrency?: number;
  logger: Logger;
  name: string;
}

export function dueWorker<DB, TB extends keyof DB, Row extends { id: string }>(
  work: DueRows<DB, TB, Row>,
): Worker {
  return { name: work.name, runOnce: (signal) => handleEachDue(work, signal) };
}

/** Handles each due row once and returns the number of handled rows. A failed row is logged and left for the next run. */
export async function handleEachDue<DB, TB extends keyof DB, Row extends { id: string }>(
  { due, by, handle, logger, name, concurrency = 1 }: DueRows<DB, TB, Row>,
  signal: AbortSignal,
): Promise<number> {
  let handled = 0;
  for await (const rows of batchesOf(due, { by, limit: BATCH_SIZE })) {
    const waiting = rows.values();
    await Promise.all(Array.from({ length: concurrency }, () => handleAll(waiting)));
    if (signal.aborted) break;
  }
  return handled;

  async function handleAll(waiting: Iterable<Row>): Promise<void> {
    for (const row of waiting) {
      if (signal.aborted) return;
      try {
        if (await handle(row, signal)) handled += 1;
      } catch (error) {
        logger.error({ worker: name, id: row.id, error }, 'Background work on a row failed');
      }
    }
  }
}

/** Resolves with `stopped` once the process stops and the grace period is over. The work's later result is ignored. */
export async function unlessStopped<Result>(
  work: Promise<Result>,
  { signal, graceMs }: { signal: AbortSignal; graceMs: number },
): Promise<Result | 'stopped'> {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort', options);
  try {
    return await Promise.race([work, aborted.then(() => wait(graceMs, 'stopped' as const, options))]);
  } finally {
    ended.abort();
  }
}

/** After the limit, the work continues, and its later result is ignored. @throws Error with the name of the work. */
export async function withinLimit<Result>(
  work: Promise<Result>,
  { name, limitMs }: { name: string; limitMs: number },
): Promise<Result> {
  const ended = new AbortController();
  // Work that never ends must not keep the process alive.
  const expiry = wait(limitMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error(`${name} exceeded its time limit of ${limitMs} ms.`);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    ended.abort();
  }
}
