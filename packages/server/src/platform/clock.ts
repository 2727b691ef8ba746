/** Source of the current time. Nothing else reads the system time, so tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock for tests. Only its methods change the time. */
export interface ManualClock extends Clock {
  /** Adds milliseconds to the time. */
  advance(ms: number): void;
  /** Sets the time, in milliseconds since the epoch. */
  set(ms: number): void;
}

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
