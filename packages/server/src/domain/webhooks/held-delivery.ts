/**
 * The `next_attempt_at` of a pending delivery that waits for its webhook to be made active again, not for a time: the
 * last instant that a Date can hold, so that no search for due deliveries comes by it.
 */
export const HELD = 8_640_000_000_000_000;
