/** Source of the current time. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
