/**
 * Value of `next_attempt_at` for a pending delivery whose webhook is inactive or paused. It is the last instant that a
 * Date can represent, so queries for due deliveries skip it.
 */
export const WAITS_FOR_WEBHOOK = 8_640_000_000_000_000;
