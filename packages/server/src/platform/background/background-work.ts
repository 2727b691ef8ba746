import type { Logger } from '../logging/logger.js';

/** A kind of work that no request waits for. Any number of processes may do it at once; the database decides who did. */
export interface Worker {
  /** For the log. */
  readonly name: string;
  /** Does what is due by the service's clock, until the signal ends it between two pieces; gives how much it did. */
  runOnce(signal: AbortSignal): Promise<number>;
}

/** Workers that run one after the other, in their order, and then rest. */
export interface WorkerRound {
  workers: readonly Worker[];
  /** How long they rest, by the real time; what is due they judge by the service's. */
  everyMs: number;
}

/** What a process does beside answering requests. */
export interface BackgroundWork {
  /** Begins the rounds, each after its first rest. */
  start(): void;
  /** Does everything that is due now, and resolves when nothing is any more. For tests, and for who moves the clock. */
  runDue(): Promise<void>;
  /** Lets the running pieces end; nothing begins after that. */
  stop(): Promise<void>;
}

export function createBackgroundWork(rounds: readonly WorkerRound[], logger: Logger): BackgroundWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const timers = new Map<WorkerRound, NodeJS.Timeout>();
  /** What runs now or waits its turn: a process does one thing at a time, so that it never does the same thing twice. */
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };

  async function runRound({ workers }: WorkerRound): Promise<void> {
    for (const worker of workers) {
      if (signal.aborted) return;
      try {
        await worker.runOnce(signal);
      } catch (error) {
        // The next round tries again.
        logger.error({ worker: worker.name, error }, 'background work failed');
      }
    }
  }

  const schedule = (round: WorkerRound) => {
    if (signal.aborted) return;
    const timer = setTimeout(
      () => void inTurn(() => runRound(round)).then(() => schedule(round)),
      round.everyMs,
    );
    timers.set(round, timer.unref());
  };

  return {
    start() {
      if (timers.size === 0) rounds.forEach(schedule);
    },
    runDue: () =>
      inTurn(async () => {
        for (const { workers } of rounds) {
          for (const worker of workers) while (!signal.aborted && (await worker.runOnce(signal)) > 0);
        }
      }),
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await last;
    },
  };
}
