import { UNANSWERED_ATTEMPTS_MAX } from '../../../domain/webhooks/attempt/attempt-decision.js';
import { Pill } from '../../ui/parts/pill.js';
import { Time } from '../../ui/parts/time.js';

/** State of a webhook. Times are milliseconds since the epoch. */
export interface WebhookState {
  isActive: boolean;
  /** Time since which every attempt has failed. Null if the last attempt succeeded. */
  failingSince: number | null;
  /** True if the endpoint has answered with 2xx at this URL. */
  hasAnswered: boolean;
  /** Time at which deliveries were paused. */
  pausedAt: number | null;
  pending: number;
  /** Number of deliveries that failed for good. */
  failed: number;
}

/** Summary of a webhook's state. */
export type WebhookHealth = 'off' | 'paused' | 'failing' | 'healthy';

/** Returns the health of a webhook. A disabled webhook is `off`, even if it was failing. */
export function webhookHealth({ isActive, failingSince, pausedAt }: WebhookState): WebhookHealth {
  if (!isActive) return 'off';
  if (pausedAt !== null) return 'paused';
  return failingSince === null ? 'healthy' : 'failing';
}

const HEALTH = {
  healthy: { tone: 'good', word: 'Active' },
  failing: { tone: 'bad', word: 'Failing' },
  paused: { tone: 'bad', word: 'Paused' },
  off: { tone: 'neutral', word: 'Disabled' },
} as const;

export function HealthPill(props: { webhook: WebhookState }) {
  const { tone, word } = HEALTH[webhookHealth(props.webhook)];
  return <Pill tone={tone}>{word}</Pill>;
}

/** Explanation of a failing or paused webhook, with the next step. */
export function HealthWarning({ webhook }: { webhook: WebhookState }) {
  const { failingSince, pausedAt, pending, hasAnswered } = webhook;
  const pendingText = pending === 1 ? '1 event is pending' : `${pending} events are pending`;
  const health = webhookHealth(webhook);
  if (health === 'paused' && pausedAt !== null) {
    return (
      <p>
        Paused on <Time at={pausedAt} />{' '}
        {hasAnswered
          ? 'after a long failure.'
          : `because the endpoint has never answered with a 2xx status, in ${UNANSWERED_ATTEMPTS_MAX} attempts.`}{' '}
        No events are sent. {pendingText}. Fix the endpoint, then resume the webhook.
      </p>
    );
  }
  if (health === 'failing' && failingSince !== null) {
    return (
      <p>
        Every attempt has failed since <Time at={failingSince} />. {pendingText} and will be sent again. If
        the failure continues, the webhook is paused. Open a delivery below to see the response of your
        endpoint.
      </p>
    );
  }
  return null;
}
