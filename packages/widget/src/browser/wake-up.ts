import type { Clock } from '@latchkey/oauth';

/** The timer functions that a session uses. Tests replace them. */
export interface Timers {
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** A clock, and timers that run on it. */
export interface TimeSource {
  clock: Clock;
  timers: Timers;
}

/**
 * Longest delay of one timer, in milliseconds. While the computer sleeps or the page is frozen, timers stop, and then
 * continue with the time that was left. Reading the clock every minute limits how late they can be.
 */
const MAX_DELAY_MS = 60_000;

/**
 * Calls back once, in a later task, when the clock reaches `time` (milliseconds since the epoch).
 *
 * @returns a function that cancels the callback.
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

/** After this many failures in a row, about 63 seconds after the first, what was read before is too old to show. */
export const LAST_FAILURE = 7;

/** Returns the pause before the next attempt, in milliseconds: 1, 2, 4 seconds and so on, up to a minute. */
export function retryPause(failures: number): number {
  return Math.min(500 * 2 ** failures, 60_000);
}
