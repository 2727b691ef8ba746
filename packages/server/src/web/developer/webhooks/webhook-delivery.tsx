import type { WebhookEventType } from '@latchkey/contract/constants';

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** Milliseconds since the epoch. */
  attemptedAt: number;
  durationMs: number;
  /** Null when there was no answer. */
  statusCode: number | null;
  /** What went wrong, in a sentence; null when it was delivered. */
  failure: string | null;
}

/** An event on its way to a webhook. Times are milliseconds since the epoch. */
export interface ListedDelivery {
  id: string;
  webhookId: string;
  eventId: string;
  type: WebhookEventType;
  status: 'pending' | 'delivered' | 'failed';
  createdAt: number;
  /** Null when it is finished, or waits for its webhook to be made active again. */
  nextAttemptAt: number | null;
  attemptCount: number;
  lastAttempt?: DeliveryAttempt | undefined;
}

const WORDS = { pending: 'waiting', delivered: 'delivered', failed: 'given up' } as const;
const TONES = { pending: 'tag quiet', delivered: 'tag', failed: 'tag alarm' } as const;

/** A word for what became of a delivery. */
export function DeliveryTag({ status }: { status: ListedDelivery['status'] }) {
  return <span class={TONES[status]}>{WORDS[status]}</span>;
}
