import type { Listener } from '../platform/http/listener.js';
import type { ClosingStep } from './close-in-order.js';
import type { ShutdownOptions } from './options.js';
import type { Services } from './services.js';

const DEFAULT_GRACE_MS = 5_000;

/** What runs, as far as it has to be closed. */
interface Running extends Services {
  readonly listener: Listener;
  readonly metricsListener: Listener | undefined;
}

/**
 * How the service closes, in this order. The background workers give back what they have taken on, for other processes,
 * and end side by side with the last requests.
 */
export function closingSteps(
  { listener, metricsListener, readiness, logger, db }: Running,
  workers: readonly { stop(): Promise<void> }[],
  { drainDelayMs = 0, graceMs = DEFAULT_GRACE_MS }: ShutdownOptions = {},
): ClosingStep[] {
  const endRequests = async () => {
    const cutOff = await listener.close(graceMs);
    if (cutOff > 0) logger.warn({ cutOff, graceMs }, 'requests that took longer than the grace were cut off');
  };
  return [
    {
      what: 'the word to load balancers',
      async end() {
        readiness.startClosing();
        listener.announceEnd();
        if (drainDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
      },
    },
    {
      what: 'requests and background work',
      async end() {
        const ends = await Promise.allSettled([endRequests(), ...workers.map((worker) => worker.stop())]);
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
      },
    },
    { what: 'metrics', end: async () => await metricsListener?.close(0) },
    { what: 'the database', end: () => db.destroy() },
  ];
}
