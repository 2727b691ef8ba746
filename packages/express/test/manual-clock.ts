import type { Clock } from '../src/index.js';

/** A clock that only the test changes. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function manualClock(start = Date.UTC(2030, 0, 1)): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
