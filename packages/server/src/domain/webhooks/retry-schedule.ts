const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

const FIRST_WAIT_MS = 10 * SECOND_MS;
const WAIT_GROWTH = 3;
const LONGEST_WAIT_MS = 6 * HOUR_MS;
/** How far a wait may be off in either direction, as a share of it: what failed together is not tried together. */
const JITTER = 0.25;

/** How often a delivery is tried before it is given up: for about three days. */
export const MAX_ATTEMPTS = 20;

/** How long an endpoint may fail, at every attempt, before nothing is tried any more. */
export const PAUSE_AFTER_MS = 5 * DAY_MS;

/**
 * At least as many attempts has the delivery whose failure pauses the endpoint: one that failed long ago, and was not
 * asked since, is not paused for one more failure.
 */
export const PAUSE_MIN_ATTEMPTS = 8;

/**
 * How long to wait after a failed attempt, in whole milliseconds: 10 seconds after the first, three times as long after
 * each that follows, never longer than 6 hours, all of it a quarter more or less by chance.
 *
 * @param attempts how many have failed by now, at least 1.
 * @param random from 0 up to 1, as `Math.random` gives it.
 */
export function waitAfter(attempts: number, random: number): number {
  const wait = Math.min(FIRST_WAIT_MS * WAIT_GROWTH ** (attempts - 1), LONGEST_WAIT_MS);
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
