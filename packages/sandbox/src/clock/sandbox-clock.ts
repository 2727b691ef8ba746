import type { Clock } from '@latchkey/server';

/** Running clock that can be moved forward. */
export interface SandboxClock extends Clock {
  /** Moves the clock forward by a number of milliseconds. */
  advance(ms: number): void;
}

/** Creates a clock that runs with `base` and can be moved ahead of it. */
export function createSandboxClock(base: Clock): SandboxClock {
  let ahead = 0;
  return {
    now: () => base.now() + ahead,
    advance: (ms) => {
      ahead += ms;
    },
  };
}
