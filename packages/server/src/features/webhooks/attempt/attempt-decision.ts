import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import type { Row } from '../../../migrations/schema.js';
import { WAITS_FOR_WEBHOOK } from '../registration/webhook-ownership.js';

export interface AttemptFacts {
  delivered: boolean;
  attempts: number;
  /** Start of an unbroken series of failures at the endpoint; null if the last attempt succeeded. */
  failingSince: number | null;
  hasAnswered: boolean;
  /** Failed attempts at an endpoint that has never answered, not including this one. */
  unansweredAttempts: number;
  isActive: boolean;
  now: number;
  random: number;
}

export interface AttemptDecision {
  status: 'pending' | 'delivered' | 'failed';
  /** Time of the next attempt of a pending delivery; {@link WAITS_FOR_WEBHOOK} while its webhook is inactive or paused. */
  nextAttemptAt: number | undefined;
  failingSince: number | null;
  /** Deliveries stop until the owner resumes the webhook: it has failed for too long, or has never answered. */
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
 * A webhook with an endpoint that has never answered with 2xx is paused after {@link UNANSWERED_ATTEMPTS_MAX} failed
 * attempts.
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

const SECOND_MS = 1000;

const FIRST_WAIT_MS = 10 * SECOND_MS;
const WAIT_GROWTH = 3;
const MAX_WAIT_MS = 6 * HOUR_MS;
/** Maximum deviation of a wait, as a share of it. Deliveries that failed together aren't retried together. */
const JITTER = 0.25;

/** Maximum number of attempts. Including the waits between them, they take about three days. */
export const MAX_ATTEMPTS = 20;

/** A webhook is paused after every attempt has failed for this long. */
export const PAUSE_AFTER_MS = 5 * DAY_MS;

/** One more failure doesn't pause a webhook that failed only once before, long ago. */
const PAUSE_MIN_ATTEMPTS = 8;

/** Anyone can register a stranger's URL, which must not receive every event of a community for days. */
export const UNANSWERED_ATTEMPTS_MAX = 5;

/** 10 seconds at first, each later wait three times as long, up to 6 hours. Jitter changes it by up to a quarter. */
export function waitAfter(attempts: number, random: number): number {
  const wait = Math.min(FIRST_WAIT_MS * WAIT_GROWTH ** (attempts - 1), MAX_WAIT_MS);
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}

export type WebhookHealth = Pick<
  Row<'webhooks'>,
  'id' | 'url' | 'is_active' | 'failing_since' | 'paused_at' | 'answered_at' | 'unanswered_attempts'
>;

export type DeliveryState = Omit<Row<'webhook_deliveries'>, 'event_id' | 'webhook_id' | 'created_at'>;

interface EndedAttemptFacts {
  answered: boolean;
  url: string;
  leaseId: string;
  now: number;
  random: number;
}

/** A success counts even after another worker has taken over the lease. A failure then doesn't change the delivery. */
export function consequencesOf(
  attempt: EndedAttemptFacts,
  before: { webhook: WebhookHealth; delivery: DeliveryState },
): { decision: AttemptDecision; webhook: WebhookHealth; delivery: DeliveryState } {
  const { answered, leaseId, now, random } = attempt;
  const webhook = noteAnswer(before.webhook, attempt);
  const attempts = before.delivery.attempts + 1;
  const decision = decideAttempt({
    ...{ delivered: answered, attempts, now, random },
    failingSince: webhook.failing_since,
    hasAnswered: webhook.answered_at !== null,
    // This attempt is already counted, unless the URL is new.
    unansweredAttempts: webhook.unanswered_attempts - 1,
    isActive: webhook.is_active === 1 && webhook.paused_at === null,
  });
  const { failingSince, pauses } = decision;
  const counts = before.delivery.status === 'pending' && (answered || before.delivery.lease_id === leaseId);
  return {
    decision,
    webhook: { ...webhook, failing_since: failingSince, ...(pauses && { paused_at: now }) },
    delivery: {
      ...before.delivery,
      attempts,
      ...(counts && {
        status: decision.status,
        lease_id: null,
        leased_until: null,
        finished_at: decision.status === 'pending' ? null : now,
        ...(decision.nextAttemptAt !== undefined && { next_attempt_at: decision.nextAttemptAt }),
      }),
    },
  };
}

/** Only for the URL of the attempt: the owner can enter a stranger's URL while the response is on its way. */
function noteAnswer(webhook: WebhookHealth, { answered, url, now }: EndedAttemptFacts): WebhookHealth {
  if (webhook.answered_at !== null || webhook.url !== url) return webhook;
  if (answered) return { ...webhook, answered_at: now };
  return { ...webhook, unanswered_attempts: webhook.unanswered_attempts + 1 };
}
