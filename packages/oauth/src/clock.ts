/** Where the time comes from. Tests and sandboxes give their own. */
export interface Clock {
  /** The present time, in milliseconds since the epoch. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };
