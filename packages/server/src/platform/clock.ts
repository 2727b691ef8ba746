/** Where the service takes the time from. Nothing else asks the machine for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that stands still until it is moved, for tests. */
export interface ManualClock extends Clock {
  /** Moves the clock forward, in milliseconds. */
  advance(ms: number): void;
  /** Sets the clock, in milliseconds since the epoch. */
  set(ms: number): void;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Makes a clock that shows `startMs` until it is moved. */
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
