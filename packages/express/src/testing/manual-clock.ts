import { type Clock, systemClock } from '../platform/clock.js';

/** A clock that only its methods change. Pass it to `latchkey({ clock })`. */
export interface ManualClock extends Clock {
  /** Moves the clock forward by a number of milliseconds. */
  advance(milliseconds: number): void;
  /** Sets the clock to milliseconds since the epoch. */
  set(milliseconds: number): void;
}

/**
 * Creates a clock.
 * @param startMs first time, in milliseconds since the epoch.
 * @default startMs the current time
 */
export function manualClock(startMs: number = systemClock.now()): ManualClock {
  forbidInProduction('manualClock');
  let now = startMs;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    set: (milliseconds) => {
      now = milliseconds;
    },
  };
}

/**
 * Keeps helpers that sign users in without credentials out of production.
 * @throws Error if `NODE_ENV` is `production`.
 */
export function forbidInProduction(name: string): void {
  if (process.env.NODE_ENV === 'production') {
    throw new Error(
      `${name} of @latchkey/express/testing was called with NODE_ENV production. It is for tests only.`,
    );
  }
}
