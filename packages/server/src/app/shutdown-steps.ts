import { abortStatements } from '../platform/database/abort-statements.js';
import type { Listener } from '../platform/http/listener.js';
import type { ClosingStep } from './close-in-order.js';
import type { ShutdownOptions } from './options.js';
import type { Services } from './services.js';

const DEFAULT_GRACE_MS = 5_000;
/**
 * Time after the grace period until statements that still run are aborted, in milliseconds. A database that does not answer
 * would otherwise hold the process until their time limit.
 */
const ABORT_AFTER_MS = 500;

/** Running parts of the server that have to be closed. */
interface RunningParts extends Pick<Services, 'readiness' | 'logger' | 'db'> {
  readonly listener: Listener;
  readonly metricsListener: Listener | undefined;
  /** Background workers. They release their leases when they stop, so that other processes continue at once. */
  readonly workers: readonly { stop(): Promise<void> }[];
}

/** Returns the steps of a graceful shutdown, in order. */
export function shutdownSteps(
  { listener, metricsListener, workers, readiness, logger, db }: RunningParts,
  { drainDelayMs = 0, graceMs = DEFAULT_GRACE_MS }: ShutdownOptions = {},
): ClosingStep[] {
  const finishRequests = async () => {
    const aborted = await listener.close(graceMs);
    if (aborted > 0) logger.warn({ aborted, graceMs }, 'Aborted requests that exceeded the grace period');
  };
  return [
    {
      name: 'drain',
      async close() {
        readiness.startClosing();
        listener.announceEnd();
        if (drainDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
      },
    },
    {
      name: 'requests and background work',
      async close() {
        const abort = setTimeout(() => {
          logger.warn({ graceMs }, 'Aborted database statements that exceeded the grace period');
          abortStatements(db);
        }, graceMs + ABORT_AFTER_MS);
        const results = await Promise.allSettled([
          finishRequests(),
          ...workers.map((worker) => worker.stop()),
        ]);
        clearTimeout(abort);
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      },
    },
    { name: 'metrics', close: async () => await metricsListener?.close(0) },
    { name: 'database', close: () => db.destroy() },
  ];
}
