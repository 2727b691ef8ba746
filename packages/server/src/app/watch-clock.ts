import type { Worker } from '../platform/background/background-work.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { hasRowLocks } from '../platform/database/kysely/row-locks.js';
import { sql } from '../platform/database/kysely.js';
import type { Database } from '../platform/database/open-database.js';
import type { Needs } from './services.js';

/** Leases of deliveries end after 60 seconds: if two processes differ by more, both send one. Half is for drift. */
const MAX_CLOCK_SKEW_MS = 30_000;

/** A larger difference is logged as a warning, in milliseconds. Synchronised machines differ by less than a tenth of it. */
const NOTED_CLOCK_SKEW_MS = 2_000;

/** Returns how far this process's clock is ahead of the database server's; `undefined` on SQLite, which uses it. */
export async function measureClockSkew(db: Database, clock: Clock): Promise<number | undefined> {
  if (!hasRowLocks(db)) return undefined;
  const before = clock.now();
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  const after = clock.now();
  const [row] = rows;
  return row === undefined ? undefined : Math.round((before + after) / 2 - row.now);
}

function clockSkewError(skewMs: number): Error {
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return new Error(
    `The clock of this machine is ${Math.abs(skewMs) / 1000} seconds ${direction} that of the database server. At most ${MAX_CLOCK_SKEW_MS / 1000} seconds are allowed, because expiry and leases depend on it. Synchronise both clocks, for example by NTP.`,
  );
}

/** @throws Error if this machine's clock differs from the database server's by more than 30 seconds. */
export async function checkClock(needs: Needs<'db' | 'clock' | 'logger'>): Promise<void> {
  const skewMs = await compareClocks(needs);
  if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS) throw clockSkewError(skewMs);
}

/** Creates the work that compares the clocks while the server runs. It logs a difference and changes nothing. */
export function createClockWatch(needs: Needs<'db' | 'clock' | 'logger'>): Worker {
  return {
    name: 'clock',
    async runOnce() {
      const skewMs = await compareClocks(needs);
      if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS)
        needs.logger.error({ skewMs }, clockSkewError(skewMs).message);
      return 0;
    },
  };
}

/** Returns how far the machine's clock is ahead. Logs a difference that is allowed. */
async function compareClocks({ db, clock, logger }: Needs<'db' | 'clock' | 'logger'>): Promise<number> {
  const skewMs = (clock === systemClock ? await measureClockSkew(db, clock) : undefined) ?? 0;
  const size = Math.abs(skewMs);
  if (size >= NOTED_CLOCK_SKEW_MS && size <= MAX_CLOCK_SKEW_MS)
    logger.warn({ skewMs }, 'The clock of this machine differs from that of the database server');
  return skewMs;
}
