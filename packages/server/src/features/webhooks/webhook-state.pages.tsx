import { phrase, t } from '../../platform/language/language.js';
import { WEBHOOKS_HOME } from '../../web/kit/areas/developer-area.js';
import { Pill, Time } from '../../web/kit/parts/values.js';
import { UNANSWERED_ATTEMPTS_MAX } from './attempt/attempt-decision.js';
import type { WebhookDelivery } from './log/deliveries.js';
import type { ListedWebhook } from './registration/webhooks.js';

export function webhookPath(id: string): string {
  return `${WEBHOOKS_HOME}/${id}`;
}

export function deliveryPath(id: string): string {
  return `${WEBHOOKS_HOME}/deliveries/${id}`;
}

const STATUS = {
  pending: { tone: 'warn', word: phrase('Pending') },
  delivered: { tone: 'good', word: phrase('Delivered') },
  failed: { tone: 'bad', word: phrase('Failed') },
} as const;

/** Label with the status of a delivery. A pending delivery is shown as retried if the last attempt failed. */
export function DeliveryPill({ delivery }: { delivery: WebhookDelivery }) {
  const { status, lastAttempt } = delivery;
  if (status === 'pending' && lastAttempt !== undefined && lastAttempt.failure !== null) {
    return <Pill tone="warn">{t('Retrying')}</Pill>;
  }
  const { tone, word } = STATUS[status];
  return <Pill tone={tone}>{t(word)}</Pill>;
}

export function ResponseStatus({ attempt }: { attempt: WebhookDelivery['lastAttempt'] }) {
  if (attempt === undefined) return <span class="muted">{t('Not sent yet')}</span>;
  return <span class="figures">{attempt.statusCode ?? t('No response')}</span>;
}

/** Returns the health of a webhook. A disabled webhook is `off`, even if it was failing. */
export function webhookHealth({ isActive, failingSince, pausedAt }: ListedWebhook): keyof typeof HEALTH {
  if (!isActive) return 'off';
  if (pausedAt !== null) return 'paused';
  return failingSince === null ? 'healthy' : 'failing';
}

const HEALTH = {
  healthy: { tone: 'good', word: phrase('Active') },
  failing: { tone: 'bad', word: phrase('Failing') },
  paused: { tone: 'bad', word: phrase('Paused') },
  off: { tone: 'neutral', word: phrase('Disabled') },
} as const;

export function HealthPill(props: { webhook: ListedWebhook }) {
  const { tone, word } = HEALTH[webhookHealth(props.webhook)];
  return <Pill tone={tone}>{t(word)}</Pill>;
}

export function HealthWarning({ webhook }: { webhook: ListedWebhook }) {
  const { failingSince, pausedAt, pending, hasAnswered } = webhook;
  const health = webhookHealth(webhook);
  if (health === 'paused' && pausedAt !== null) {
    return (
      <p>
        {hasAnswered
          ? t('Paused on {date} after a long failure.', { date: <Time at={pausedAt} /> })
          : t(
              'Paused on {date} because the endpoint has never answered with a 2xx status, in {attempts} attempts.',
              { date: <Time at={pausedAt} />, attempts: UNANSWERED_ATTEMPTS_MAX },
            )}{' '}
        {t('No events are sent. {count} events are pending. Fix the endpoint, then resume the webhook.', {
          count: pending,
        })}
      </p>
    );
  }
  if (health === 'failing' && failingSince !== null) {
    return (
      <p>
        {t('Every attempt has failed since {date}.', { date: <Time at={failingSince} /> })}{' '}
        {t(
          '{count} events are pending and will be sent again. If the failure continues, the webhook is paused. Open a delivery below to see the response of your endpoint.',
          { count: pending },
        )}
      </p>
    );
  }
  return null;
}
