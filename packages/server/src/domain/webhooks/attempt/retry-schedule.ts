import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';

const SECOND_MS = 1000;

const FIRST_WAIT_MS = 10 * SECOND_MS;
const WAIT_GROWTH = 3;
const MAX_WAIT_MS = 6 * HOUR_MS;
/** Maximum deviation of a wait, as a share of it. Deliveries that failed together are not retried together. */
const JITTER = 0.25;

/** Maximum number of attempts. With the waits between them they take about three days. */
export const MAX_ATTEMPTS = 20;

/** A webhook is paused after failing at every attempt for this long. */
export const PAUSE_AFTER_MS = 5 * DAY_MS;

/**
 * Minimum attempts of the delivery that pauses its webhook. One more failure does not pause a webhook whose only earlier
 * failure was long ago.
 */
export const PAUSE_MIN_ATTEMPTS = 8;

/**
 * Failed attempts after which an endpoint that has never answered with 2xx is paused. Anyone can register the URL of a
 * stranger, which must not receive every event of a community for days.
 */
export const UNANSWERED_ATTEMPTS_MAX = 5;

/**
 * Returns the wait after a failed attempt, in whole milliseconds. The first wait is 10 seconds, each later one is three
 * times as long, up to 6 hours. Jitter changes the wait by up to a quarter.
 *
 * @param attempts number of failed attempts, at least 1.
 * @param random random number, at least 0 and less than 1.
 */
export function waitAfter(attempts: number, random: number): number {
  const wait = Math.min(FIRST_WAIT_MS * WAIT_GROWTH ** (attempts - 1), MAX_WAIT_MS);
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
