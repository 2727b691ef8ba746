import type { Clock } from '@latchkey/oauth';

/** The timers of the page; tests give their own. */
export interface Timers {
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** What tells the time and wakes a session up. */
export interface TimeSource {
  clock: Clock;
  timers: Timers;
}

export const pageTimers: Timers = {
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (handle) => clearTimeout(handle as number),
};

/** A longer delay overflows 32 bits and fires at once. */
const LONGEST_NAP_MS = 2 ** 31 - 1;

/**
 * Calls back once when the clock shows `time` (milliseconds since the epoch), at the earliest in a later task. Looks at
 * the clock at every awakening: timers drift, stop while a computer sleeps, and cannot be set further than 24.8 days.
 *
 * @returns a function that calls it off.
 */
export function wakeAt({ clock, timers }: TimeSource, time: number, callback: () => void): () => void {
  let handle: unknown;
  const nap = () => {
    const left = Math.min(Math.max(time - clock.now(), 0), LONGEST_NAP_MS);
    handle = timers.setTimeout(() => (clock.now() < time ? nap() : callback()), left);
  };
  nap();
  return () => timers.clearTimeout(handle);
}
