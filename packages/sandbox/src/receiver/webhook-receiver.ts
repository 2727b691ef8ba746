import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@latchkey/server';
import { signBody } from '@latchkey/server/extension';

/** Behaviours of the receiver: accept valid deliveries, respond with 500, or not respond. */
export const RECEIVER_MODES = ['accept', 'fail', 'hang'] as const;

export type ReceiverMode = (typeof RECEIVER_MODES)[number];

/** Delivery that arrived at the receiver, and the result of its checks. */
export interface ReceivedDelivery {
  /** Milliseconds since the epoch, by the service's clock. */
  receivedAt: number;
  /** Value of the header; empty if it is missing. */
  eventType: string;
  eventId: string;
  /** True if a webhook with this receiver's URL signed the delivery. */
  verified: boolean;
  /** True if the event arrived before. A receiver processes each event once. */
  repeated: boolean;
  /** Status of the response; null if there was none. */
  answered: 204 | 400 | 500 | null;
}

/** Delivery as it arrives. A value of a missing header is empty. */
export interface ArrivingDelivery {
  signature: string;
  eventType: string;
  eventId: string;
  body: Buffer;
}

/** Webhook endpoint of the sandbox. It stores deliveries in memory. */
export interface WebhookReceiver {
  /** Current behaviour, which can be set at any time. */
  mode: ReceiverMode;
  /** Returns the deliveries, newest first. */
  list(): readonly ReceivedDelivery[];
  /** Drops all deliveries, and accepts the next ones. */
  clear(): void;
  /** Stores a delivery. Returns the status to respond with, or null for no response. */
  receive(delivery: ArrivingDelivery, secrets: readonly string[]): ReceivedDelivery['answered'];
}

/** Number of deliveries kept. Older ones are dropped. */
const KEPT = 100;

/** Creates a receiver that accepts deliveries. */
export function createWebhookReceiver(clock: Clock): WebhookReceiver {
  let arrived: readonly ReceivedDelivery[] = [];
  return {
    mode: 'accept',
    list: () => arrived,
    clear() {
      arrived = [];
      this.mode = 'accept';
    },
    receive({ signature, eventType, eventId, body }, secrets) {
      const verified = isSignedWithOne(signature, { body, secrets });
      const answered = answerOf(this.mode, verified);
      const delivery = {
        receivedAt: clock.now(),
        eventType,
        eventId,
        verified,
        repeated:
          eventId !== '' && arrived.some((earlier) => earlier.verified && earlier.eventId === eventId),
        answered,
      };
      arrived = [delivery, ...arrived].slice(0, KEPT);
      return answered;
    },
  };
}

function answerOf(mode: ReceiverMode, verified: boolean): ReceivedDelivery['answered'] {
  if (mode === 'hang') return null;
  if (mode === 'fail') return 500;
  return verified ? 204 : 400;
}

function isSignedWithOne(
  signature: string,
  { body, secrets }: { body: Buffer; secrets: readonly string[] },
): boolean {
  const sent = Buffer.from(signature);
  return secrets.some((secret) => {
    const expected = Buffer.from(signBody(body, secret));
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}
