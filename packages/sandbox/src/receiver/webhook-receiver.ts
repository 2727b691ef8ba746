import { formatTimestamp, REQUEST_BODY_MAX_BYTES, webhookHeadersOf } from '@latchkey/contract/constants';
import type { Clock, RouteContext } from '@latchkey/server';
import { isSameHash, listWebhookSecrets, signBody } from '@latchkey/server/extension';
import express, { type RequestHandler, Router } from 'express';
import { onPost } from '../services/routes.js';
import type { Needs } from '../services/services.js';
import { RECEIVER_PATH, type ReceiverMode } from './built-in-receiver.js';

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

export interface ReceiverState {
  readonly url: string;
  readonly mode: ReceiverMode;
  /** Deliveries that arrived, newest first. */
  readonly arrived: readonly (Omit<ReceivedDelivery, 'receivedAt'> & {
    /** ISO 8601, by the service's clock. */
    readonly at: string;
  })[];
}

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

  /** Returns the mode and the deliveries, for the control API. */
  state({ baseUrl }: Needs<'baseUrl'>): ReceiverState {
    const arrived = this.#arrived.map(({ receivedAt, ...arrival }) => ({
      at: formatTimestamp(receivedAt),
      ...arrival,
    }));
    return { url: `${baseUrl}${RECEIVER_PATH}`, mode: this.mode, arrived };
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

export function receiverRoutes(context: RouteContext, receiver: WebhookReceiver): Router {
  const router = Router({ caseSensitive: true, strict: true });
  onPost(router, RECEIVER_PATH, readBytes, receive(context, receiver));
  return router;
}

/** Reads any body as bytes: the signature must be checked before the body is parsed. */
const readBytes = express.raw({ type: () => true, limit: REQUEST_BODY_MAX_BYTES });

function receive({ db, baseUrl, serviceNames }: RouteContext, receiver: WebhookReceiver): RequestHandler {
  const names = webhookHeadersOf(serviceNames);
  return async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const secrets = await listWebhookSecrets(db, `${baseUrl}${RECEIVER_PATH}`);
    const header = (name: string) => request.get(name) ?? '';
    const status = receiver.receive(
      {
        signature: header(names.signature),
        eventType: header(names.eventType),
        eventId: header(names.eventId),
        body,
      },
      secrets,
    );
    if (status !== null) response.status(status).end();
  };
}
