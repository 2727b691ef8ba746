import { WAITS_FOR_WEBHOOK } from '../registration/waits-for-webhook.js';
import {
  MAX_ATTEMPTS,
  PAUSE_AFTER_MS,
  PAUSE_MIN_ATTEMPTS,
  UNANSWERED_ATTEMPTS_MAX,
  waitAfter,
} from './retry-schedule.js';

/** Facts that decide what follows from an attempt. Times are milliseconds since the epoch. */
export interface AttemptFacts {
  delivered: boolean;
  /** Number of attempts since the delivery was recorded or manually resent, this one included. */
  attempts: number;
  /** Start of an unbroken series of failures at the endpoint; null if the last attempt succeeded. */
  failingSince: number | null;
  /** True if the endpoint has answered with 2xx before. */
  hasAnswered: boolean;
  /** Failed attempts at an endpoint that has never answered, this one not included. */
  unansweredAttempts: number;
  /** True if the webhook is active and not paused. */
  isActive: boolean;
  now: number;
  /** Random number, at least 0 and less than 1. */
  random: number;
}

/** Result of {@link decideAttempt}, for the delivery and its webhook. */
export interface AttemptDecision {
  status: 'pending' | 'delivered' | 'failed';
  /** Time of the next attempt of a pending delivery; {@link WAITS_FOR_WEBHOOK} while its webhook is inactive or paused. */
  nextAttemptAt: number | undefined;
  failingSince: number | null;
  /** True if deliveries stop until the webhook's owner resumes it: it failed for too long, or has never answered. */
  pauses: boolean;
}

/**
 * Decides what follows from an attempt:
 *
 * | attempt   | delivery                           | webhook                                           |
 * | --------- | ---------------------------------- | ------------------------------------------------- |
 * | succeeded | delivered                          | healthy                                           |
 * | failed    | retried later, 20 attempts in all  | failing since its first failure; paused after 5 days |
 *
 * A webhook whose endpoint has never answered with 2xx is paused after {@link UNANSWERED_ATTEMPTS_MAX} failed attempts.
 */
export function decideAttempt(facts: AttemptFacts): AttemptDecision {
  const { attempts, now } = facts;
  if (facts.delivered) {
    return { status: 'delivered', nextAttemptAt: undefined, failingSince: null, pauses: false };
  }
  const failingSince = facts.failingSince ?? now;
  const failsForLong = attempts >= PAUSE_MIN_ATTEMPTS && now - failingSince >= PAUSE_AFTER_MS;
  const neverAnswers = !facts.hasAnswered && facts.unansweredAttempts + 1 >= UNANSWERED_ATTEMPTS_MAX;
  const pauses = facts.isActive && (failsForLong || neverAnswers);
  if (attempts >= MAX_ATTEMPTS) return { status: 'failed', nextAttemptAt: undefined, failingSince, pauses };
  const nextAttemptAt =
    facts.isActive && !pauses ? now + waitAfter(attempts, facts.random) : WAITS_FOR_WEBHOOK;
  return { status: 'pending', nextAttemptAt, failingSince, pauses };
}
