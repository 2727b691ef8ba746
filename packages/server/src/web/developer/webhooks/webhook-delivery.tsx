import type { WebhookEventType } from '@latchkey/contract/constants';

/** Attempt to deliver an event. */
export interface DeliveryAttempt {
  /** Milliseconds since the epoch. */
  attemptedAt: number;
  durationMs: number;
  /** Null without a response. */
  statusCode: number | null;
  /** Reason of the failure in one sentence. Null if the event was delivered. */
  failure: string | null;
}

/** Delivery of an event to a webhook. Times are milliseconds since the epoch. */
export interface ListedDelivery {
  id: string;
  webhookId: string;
  eventId: string;
  type: WebhookEventType;
  status: 'pending' | 'delivered' | 'failed';
  createdAt: number;
  /** Null if the delivery is finished, or held until its webhook is active again. */
  nextAttemptAt: number | null;
  attemptCount: number;
  lastAttempt?: DeliveryAttempt | undefined;
}

const WORDS = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const;
const TONES = { pending: 'tag quiet', delivered: 'tag', failed: 'tag alarm' } as const;

/** Label with the status of a delivery. */
export function DeliveryTag({ status }: { status: ListedDelivery['status'] }) {
  return <span class={TONES[status]}>{WORDS[status]}</span>;
}
