import type { Clock } from '@latchkey/server';

/** Running clock that can be moved forward. */
export interface SandboxClock extends Clock {
  /** Moves the clock forward by a number of milliseconds. */
  advance(ms: number): void;
  /** Moves the clock forward to an instant, in milliseconds since the epoch. Does nothing if it has passed. */
  moveTo(instant: number): void;
  /** Sets how far the clock is ahead, in milliseconds. The time can go back: only for a sandbox whose data are replaced. */
  setAhead(ms: number): void;
  /** Returns how far the clock is ahead of the clock that it runs with, in milliseconds. */
  ahead(): number;
}

/** Creates a clock that runs with `base` and can be moved ahead of it. */
export function createSandboxClock(base: Clock): SandboxClock {
  let ahead = 0;
  return {
    now: () => base.now() + ahead,
    advance: (ms) => {
      ahead += ms;
    },
    moveTo: (instant) => {
      ahead = Math.max(ahead, instant - base.now());
    },
    setAhead: (ms) => {
      ahead = ms;
    },
    ahead: () => ahead,
  };
}
