/** Source of the current time. Tests and sandboxes replace it. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
}
