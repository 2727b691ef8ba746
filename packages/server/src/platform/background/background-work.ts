import type { Logger } from '../logging/logger.js';

/** Part of the background work. Any number of processes may run it at once. The database decides which one handles a row. */
export interface Worker {
  /** Name in the log. */
  readonly name: string;
  /** Does all due work and returns the number of handled items. The signal stops it between two items. */
  runOnce(signal: AbortSignal): Promise<number>;
}

/** Workers that run one after another, followed by a pause. Other rounds run at the same time. */
export interface WorkerRound {
  workers: readonly Worker[];
  /** Pause between rounds, in milliseconds of real time. The service's clock decides what is due. */
  everyMs: number;
}

/** Work that a process does besides answering requests. */
export interface BackgroundWork {
  /** Starts the rounds. Each begins after its first pause. */
  start(): void;
  /** Does all due work. Resolves when nothing is due. */
  runDue(): Promise<void>;
  /** Waits for the running item. No other item starts after that. */
  stop(): Promise<void>;
}

export function createBackgroundWork(rounds: readonly WorkerRound[], logger: Logger): BackgroundWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const timers = new Map<WorkerRound, NodeJS.Timeout>();
  /**
   * Last task of each round's queue. A process runs one task of a round at a time, so it never handles a row twice at once. A round
   * that takes long doesn't delay the others.
   */
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
    start() {
      if (timers.size === 0) rounds.forEach(schedule);
    },
    async runDue() {
      for (const round of rounds) {
        await enqueue(round, async () => {
          for (const worker of round.workers) while (!signal.aborted && (await worker.runOnce(signal)) > 0);
        });
      }
    },
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(last.values());
    },
  };
}
