/** Source of the time. No other code reads the system time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Clock for tests. Its time changes only by its methods. */
export interface ManualClock extends Clock {
  /** Adds milliseconds to the time. */
  advance(ms: number): void;
  /** Sets the time, in milliseconds since the epoch. */
  set(ms: number): void;
}

/** Clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Creates a clock for tests.
 *
 * @param startMs first time, in milliseconds since the epoch.
 */
export function createManualClock(startMs: number): ManualClock {
  let now = startMs;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    set: (ms) => {
      now = ms;
    },
  };
}
