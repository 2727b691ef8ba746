import type { Clock } from '@latchkey/oauth';

/** The timer functions that a session uses. Tests replace them. */
export interface Timers {
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** A clock with the timers that belong to it. */
export interface TimeSource {
  clock: Clock;
  timers: Timers;
}

/** Longest delay of one timer, in milliseconds. A longer delay overflows 32 bits and fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Calls back once, in a later task, when the clock reaches `time` (milliseconds since the epoch). Checks the clock
 * whenever a timer fires, because timers drift and stop while a computer sleeps.
 *
 * @returns a function that cancels the call.
 */
export function wakeAt({ clock, timers }: TimeSource, time: number, callback: () => void): () => void {
  let handle: unknown;
  const schedule = () => {
    const delay = Math.min(Math.max(time - clock.now(), 0), MAX_DELAY_MS);
    handle = timers.setTimeout(() => (clock.now() < time ? schedule() : callback()), delay);
  };
  schedule();
  return () => timers.clearTimeout(handle);
}
