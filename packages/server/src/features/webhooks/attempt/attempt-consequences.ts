import { type AttemptDecision, decideAttempt } from './attempt-decision.js';

/** Columns of a webhook that attempts read and change. */
export interface WebhookHealth {
  id: string;
  url: string;
  is_active: 0 | 1;
  failing_since: number | null;
  paused_at: number | null;
  answered_at: number | null;
  unanswered_attempts: number;
}

/** Columns of a delivery that attempts read and change. */
export interface DeliveryState {
  id: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  next_attempt_at: number;
  lease_id: string | null;
  leased_until: number | null;
  finished_at: number | null;
}

/** Consequences of an attempt. */
export interface AttemptConsequences {
  decision: AttemptDecision;
  webhook: WebhookHealth;
  delivery: DeliveryState;
}

/** Facts about an ended attempt. */
interface EndedAttemptFacts {
  answered: boolean;
  /** URL to which it was sent. */
  url: string;
  leaseId: string;
  now: number;
  /** Random number, at least 0 and less than 1. */
  random: number;
}

/**
 * Returns the consequences of an attempt for its webhook and its delivery. A success counts even after the lease has passed
 * to another worker. A failure then has no consequences for the delivery.
 */
export function consequencesOf(
  attempt: EndedAttemptFacts,
  before: { webhook: WebhookHealth; delivery: DeliveryState },
): AttemptConsequences {
  const { answered, leaseId, now, random } = attempt;
  const webhook = noteAnswer(before.webhook, attempt);
  const attempts = before.delivery.attempts + 1;
  const decision = decideAttempt({
    ...{ delivered: answered, attempts, now, random },
    failingSince: webhook.failing_since,
    hasAnswered: webhook.answered_at !== null,
    // This attempt is counted already, unless the URL is new.
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

/**
 * Notes the first answer of a webhook, or counts a failed attempt before it. Both concern the URL of the attempt: the owner
 * can enter the URL of a stranger while the answer is on its way.
 */
function noteAnswer(webhook: WebhookHealth, { answered, url, now }: EndedAttemptFacts): WebhookHealth {
  if (webhook.answered_at !== null || webhook.url !== url) return webhook;
  if (answered) return { ...webhook, answered_at: now };
  return { ...webhook, unanswered_attempts: webhook.unanswered_attempts + 1 };
}
