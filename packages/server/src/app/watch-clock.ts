import type { Worker } from '../platform/background/background-work.js';
import { systemClock } from '../platform/clock.js';
import {
  clockSkewError,
  MAX_CLOCK_SKEW_MS,
  measureClockSkew,
  NOTED_CLOCK_SKEW_MS,
} from '../platform/database/clock-skew.js';
import type { Services } from './services.js';

type WatchNeeds = Pick<Services, 'db' | 'clock' | 'logger'>;

/**
 * Compares the machine's clock with that of the database server when the server starts. A clock of the options is not
 * compared.
 *
 * @throws Error if they differ by more than 30 seconds.
 */
export async function checkClock({ db, clock, logger }: WatchNeeds): Promise<void> {
  if (clock !== systemClock) return;
  const skewMs = await measureClockSkew(db, clock);
  if (skewMs === undefined) return;
  if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS) throw clockSkewError(skewMs);
  noteSkew(skewMs, logger);
}

/** Creates the work that compares the clocks while the server runs. It logs a difference and changes nothing. */
export function createClockWatch({ db, clock, logger }: WatchNeeds): Worker {
  return {
    name: 'clock',
    async runOnce() {
      if (clock !== systemClock) return 0;
      const skewMs = await measureClockSkew(db, clock);
      if (skewMs === undefined) return 0;
      if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS) logger.error({ skewMs }, clockSkewError(skewMs).message);
      else noteSkew(skewMs, logger);
      return 0;
    },
  };
}

function noteSkew(skewMs: number, logger: WatchNeeds['logger']): void {
  if (Math.abs(skewMs) < NOTED_CLOCK_SKEW_MS) return;
  logger.warn({ skewMs }, 'The clock of this machine differs from that of the database server');
}
