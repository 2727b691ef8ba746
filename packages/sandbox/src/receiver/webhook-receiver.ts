import type { Clock } from '@latchkey/server';
import { isSameHash, signBody } from '@latchkey/server/extension';
import type { Needs } from '../services/services.js';
import type { ReceiverMode } from './built-in-receiver.js';

/** A delivery that arrived at the receiver, and the result of its checks. */
export interface ReceivedDelivery {
  /** Milliseconds since the epoch, by the service's clock. */
  receivedAt: number;
  /** Value of the header; empty if it is missing. */
  eventType: string;
  eventId: string;
  /** True if the secret of a webhook with this receiver's URL signed the delivery. */
  verified: boolean;
  /** True if the event had already arrived. A receiver processes each event once. */
  repeated: boolean;
  /** Status of the response; null if there was none. */
  answered: 204 | 400 | 500 | null;
}

/** How many deliveries are kept. Older ones are dropped. */
const KEPT = 100;

/** The sandbox's webhook endpoint. It accepts deliveries at first, and stores them in memory. */
export class WebhookReceiver {
  /** Current behaviour, which can be set at any time. */
  mode: ReceiverMode = 'accept';
  readonly #clock: Clock;
  #arrived: readonly ReceivedDelivery[] = [];

  constructor({ clock }: Needs<'clock'>) {
    this.#clock = clock;
  }

  /** Returns the deliveries, newest first. */
  list(): readonly ReceivedDelivery[] {
    return this.#arrived;
  }

  /** Drops all deliveries, and accepts the next ones. */
  clear(): void {
    this.#arrived = [];
    this.mode = 'accept';
  }

  /**
   * Stores a delivery. Returns the status to respond with, or null for no response.
   *
   * @param delivery the values of missing headers are empty.
   */
  receive(
    delivery: { signature: string; eventType: string; eventId: string; body: Buffer },
    secrets: readonly string[],
  ): ReceivedDelivery['answered'] {
    const { signature, eventType, eventId, body } = delivery;
    const verified = secrets.some((secret) => isSameHash(signature, signBody(body, secret)));
    const repeated =
      eventId !== '' && this.#arrived.some((earlier) => earlier.verified && earlier.eventId === eventId);
    const answered = answerOf(this.mode, verified);
    const received = { receivedAt: this.#clock.now(), eventType, eventId, verified, repeated, answered };
    this.#arrived = [received, ...this.#arrived].slice(0, KEPT);
    return answered;
  }
}

function answerOf(mode: ReceiverMode, verified: boolean): ReceivedDelivery['answered'] {
  if (mode === 'hang') return null;
  if (mode === 'fail') return 500;
  return verified ? 204 : 400;
}
