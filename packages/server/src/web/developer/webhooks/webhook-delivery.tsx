import type { WebhookEventType } from '@latchkey/contract/constants';
import { Pill } from '../../ui/parts/pill.js';

/** Attempt to deliver an event. */
export interface DeliveryAttempt {
  id: string;
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

/** Returns the address of a delivery's page. */
export function deliveryPath(id: string): string {
  return `/developer/webhooks/deliveries/${id}`;
}

const STATUS = {
  pending: { tone: 'warn', word: 'Pending' },
  delivered: { tone: 'good', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Failed' },
} as const;

/** Label with the status of a delivery. A pending delivery whose last attempt failed is retried. */
export function DeliveryPill({ delivery }: { delivery: Pick<ListedDelivery, 'status' | 'lastAttempt'> }) {
  const { status, lastAttempt } = delivery;
  if (status === 'pending' && lastAttempt !== undefined && lastAttempt.failure !== null) {
    return <Pill tone="warn">Retrying</Pill>;
  }
  const { tone, word } = STATUS[status];
  return <Pill tone={tone}>{word}</Pill>;
}

/** Short result of an attempt: the status of the response. */
export function ResponseStatus({ attempt }: { attempt: DeliveryAttempt | undefined }) {
  if (attempt === undefined) return <span class="muted">Not sent yet</span>;
  return <span class="figures">{attempt.statusCode ?? 'No response'}</span>;
}
