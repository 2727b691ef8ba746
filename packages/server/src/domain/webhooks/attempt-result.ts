import { HELD } from './held-delivery.js';
import { MAX_ATTEMPTS, PAUSE_AFTER_MS, PAUSE_MIN_ATTEMPTS, waitAfter } from './retry-schedule.js';

/** What is known when an attempt has ended. Times are milliseconds since the epoch. */
export interface AttemptFacts {
  delivered: boolean;
  /** How often the delivery was tried since it was recorded or sent again by hand, this attempt included. */
  attempts: number;
  /** Since when every attempt at the endpoint failed; null while they succeed. */
  failingSince: number | null;
  /** Whether the endpoint hears anything now: it is switched on, and not paused. */
  goesOut: boolean;
  now: number;
  /** From 0 up to 1. */
  random: number;
}

/** What an attempt means for its delivery and its endpoint. */
export interface AttemptVerdict {
  status: 'pending' | 'delivered' | 'failed';
  /** When a pending delivery goes out next; {@link HELD} while its endpoint hears nothing. */
  nextAttemptAt: number | undefined;
  failingSince: number | null;
  /** The endpoint failed for so long that nothing is tried any more until its owner resumes it. */
  pauses: boolean;
}

/**
 * | the attempt | the delivery                      | the endpoint                                        |
 * | ----------- | --------------------------------- | --------------------------------------------------- |
 * | succeeded   | delivered                         | does not fail                                       |
 * | failed      | tried again later, 20 times in all | fails since its first failure; after 5 days: paused |
 */
export function judgeAttempt(facts: AttemptFacts): AttemptVerdict {
  const { attempts, now } = facts;
  if (facts.delivered) {
    return { status: 'delivered', nextAttemptAt: undefined, failingSince: null, pauses: false };
  }
  const failingSince = facts.failingSince ?? now;
  const pauses = facts.goesOut && attempts >= PAUSE_MIN_ATTEMPTS && now - failingSince >= PAUSE_AFTER_MS;
  if (attempts >= MAX_ATTEMPTS) return { status: 'failed', nextAttemptAt: undefined, failingSince, pauses };
  const nextAttemptAt = facts.goesOut && !pauses ? now + waitAfter(attempts, facts.random) : HELD;
  return { status: 'pending', nextAttemptAt, failingSince, pauses };
}
