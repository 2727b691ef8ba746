import { PlainDateTime } from '../../ui/plain-time.js';

/** As much of a webhook as tells how it fares. Times are milliseconds since the epoch. */
export interface WebhookState {
  isActive: boolean;
  /** Since when every attempt failed; null while they succeed. */
  failingSince: number | null;
  /** Set when it failed for so long that nothing is tried any more. */
  pausedAt: number | null;
  /** Deliveries that wait, and those that were given up. */
  pending: number;
  failed: number;
}

/** How a webhook fares. */
export type WebhookHealth = 'off' | 'paused' | 'failing' | 'healthy';

/** A webhook that is switched off is neither well nor ill. */
export function webhookHealth({ isActive, failingSince, pausedAt }: WebhookState): WebhookHealth {
  if (!isActive) return 'off';
  if (pausedAt !== null) return 'paused';
  return failingSince === null ? 'healthy' : 'failing';
}

/** A word for a webhook's health, coloured when something is wrong. */
export function HealthTag(props: { webhook: WebhookState }) {
  const health = webhookHealth(props.webhook);
  if (health === 'healthy') return <span class="tag">delivering</span>;
  if (health === 'off') return <span class="tag quiet">switched off</span>;
  return <span class="tag alarm">{health}</span>;
}

/** What is wrong with a webhook, and what its owner can do; nothing when all is well. */
export function HealthWarning({ webhook }: { webhook: WebhookState }) {
  const { failingSince, pausedAt, pending } = webhook;
  const waiting = pending === 1 ? '1 event waits' : `${pending} events wait`;
  const health = webhookHealth(webhook);
  if (health === 'paused' && pausedAt !== null) {
    return (
      <p>
        Paused on <PlainDateTime at={pausedAt} />: it had failed for too long, and nothing is sent any more.{' '}
        {waiting}. Repair the endpoint, then resume.
      </p>
    );
  }
  if (health === 'failing' && failingSince !== null) {
    return (
      <p>
        Every attempt has failed since <PlainDateTime at={failingSince} />. {waiting} and will be tried again;
        if it goes on, the webhook is paused. The deliveries below say what the endpoint answered.
      </p>
    );
  }
  return null;
}
