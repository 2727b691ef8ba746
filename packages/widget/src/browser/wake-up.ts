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

/**
 * Longest delay of one timer, in milliseconds. Timers stop while a computer sleeps or a page is frozen, and continue with what was left.
 * So the clock is read again after a minute at the latest.
 */
const MAX_DELAY_MS = 60_000;

/**
 * Calls back once, in a later task, when the clock reaches `time` (milliseconds since the epoch).
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

/** The failure in a row after which what was read before is no longer shown: 63 seconds after the first one. */
export const LAST_FAILURE = 7;

/** Returns the milliseconds until the next attempt after this number of failures: 1, 2, 4 seconds and so on, and a minute at most. */
export function retryPause(failures: number): number {
  return Math.min(500 * 2 ** failures, 60_000);
}
