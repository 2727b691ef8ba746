/** Source of the current time. Pass your own to control time in tests. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The system clock, used by default. */
export const systemClock: Clock = { now: () => Date.now() };
