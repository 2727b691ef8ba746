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

/** A running clock that can be moved ahead: the sandbox's. */
export interface SandboxClock extends Clock {
  /** Moves the clock forward, in milliseconds, from what it shows now. */
  advance(ms: number): void;
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

/** Makes a clock that runs with `base` and can be moved ahead of it. */
export function createSandboxClock(base: Clock): SandboxClock {
  let ahead = 0;
  return {
    now: () => base.now() + ahead,
    advance: (ms) => {
      ahead += ms;
    },
  };
}
