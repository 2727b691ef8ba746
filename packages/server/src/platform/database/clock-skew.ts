import type { Clock } from '../clock.js';
import { hasRowLocks } from './kysely/row-locks.js';
import { sql } from './kysely.js';
import type { Database } from './open-database.js';

/**
 * Largest difference to the clock of the database at which a server starts, in milliseconds. Leases of webhook deliveries end
 * after 60 seconds: two processes that differ by more would both send a delivery. Half of it leaves room for drift.
 */
export const MAX_CLOCK_SKEW_MS = 30_000;

/** Difference that is logged as a warning, in milliseconds. Synchronised machines differ by less than a tenth of it. */
export const NOTED_CLOCK_SKEW_MS = 2_000;

/**
 * Measures how far the clock of this process is ahead of that of the database server. All processes on a database compare
 * themselves with it.
 *
 * @returns milliseconds, negative if this process is behind; `undefined` for SQLite, which has no clock of its own.
 */
export async function measureClockSkew(db: Database, clock: Clock): Promise<number | undefined> {
  if (!hasRowLocks(db)) return undefined;
  const before = clock.now();
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  const after = clock.now();
  const [row] = rows;
  return row === undefined ? undefined : Math.round((before + after) / 2 - row.now);
}

/** Error about a clock that differs too much from that of the database. */
export function clockSkewError(skewMs: number): Error {
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return new Error(
    `The clock of this machine is ${Math.abs(skewMs) / 1000} seconds ${direction} that of the database server. At most ${MAX_CLOCK_SKEW_MS / 1000} seconds are allowed, because expiry and leases depend on it. Synchronise both clocks, for example by NTP.`,
  );
}
