import type { AttemptResult } from '../attempt/attempt-result.js';
import type { DeliveryRoundTrip } from '../attempt/delivery-request.js';
import type { LeasedDelivery } from './delivery-queue.js';

/** Attempt whose result is stored. */
export interface StoredAttempt {
  id: string;
  webhookId: string;
  deliveryId: string;
  eventId: string;
  eventType: string;
  /** Null if there was no response. */
  statusCode: number | null;
  /** Reason of a failed attempt; null if it succeeded. */
  failure: string | null;
}

/** Attempt that is about to begin. */
export interface InterceptedDelivery extends LeasedDelivery {
  /** Id of the attempt, if the delivery is sent. */
  attemptId: string;
}

/**
 * Sends a delivery in place of the worker. `send` sends it once, with another secret if one is passed. The returned result
 * is stored as the attempt, with its request and response if it has them. `undefined` releases the delivery without an attempt.
 */
export type DeliveryInterceptor = (
  delivery: InterceptedDelivery,
  send: (changes?: { secret?: string }) => Promise<DeliveryRoundTrip | undefined>,
) => Promise<AttemptResult | DeliveryRoundTrip | undefined>;
