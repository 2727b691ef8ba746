/** Where the kit takes the time from; inject your own to move it in tests. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The machine's clock, the default. */
export const systemClock: Clock = { now: () => Date.now() };
