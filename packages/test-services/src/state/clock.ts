/** The source of the current time, in milliseconds since 1970. Tests inject their own. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
