/** Where the client takes the time from. */
export interface Clock {
  /** The present time, in milliseconds since the epoch. */
  now(): number;
}

/** The machine's clock, the default. */
export const systemClock: Clock = { now: () => Date.now() };
