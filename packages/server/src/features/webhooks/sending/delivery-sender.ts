import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, WEBHOOK_RESPONSE_TIMEOUT_SECONDS, webhookHeadersOf } from '@latchkey/contract/constants';
import type { Needs } from '../../../app/services.js';
import { BatchQueue } from '../../../platform/background/batch-queue.js';
import type { Clock } from '../../../platform/clock.js';
import { isLostConnection } from '../../../platform/database/postgres/postgres-statements.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { timeOrderedId } from '../../../platform/secrets.js';
import type { AttemptDecision } from '../attempt/attempt-decision.js';
import {
  type AttemptResult,
  type DeliveryRoundTrip,
  type DeliveryTransport,
  sendDelivery,
} from '../attempt/delivery-request.js';
import { roundTripColumns } from '../attempt/stored-round-trip.js';
import type { EndpointPolicy } from '../endpoint/endpoint-address.js';
import {
  createConnections,
  createHostResolver,
  type HostResolver,
} from '../endpoint/endpoint-connections.js';
import { type LeasedDelivery, releaseDeliveries } from './delivery-queue.js';
import { type EndedAttempt, recordAttempts } from './record-attempts.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

type AttemptQueue = BatchQueue<EndedAttempt, AttemptDecision | undefined>;

/**
 * Without the record, the endpoint would receive the event again when the lease ends. After an error other than a lost
 * connection, the attempt is recorded alone: another of its batch may be the cause. @throws once the signal aborts.
 */
async function recordUntilStored(
  queue: AttemptQueue,
  attempt: EndedAttempt,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<AttemptDecision | undefined> {
  let alone = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await queue.add(attempt, { alone });
    } catch (error) {
      if (signal.aborted) throw error;
      alone = !isLostConnection(error);
      const nextWaitMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
      const { webhookId, id: deliveryId } = attempt.delivery;
      logger.warn(
        { webhookId, deliveryId, tries, nextWaitMs, error: messageOf(error) },
        'The result of a webhook attempt was not stored; trying again',
      );
      await pause(nextWaitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/** How long to wait for more deliveries to end, in milliseconds. One transaction records them together. */
const GATHER_MS = 50;
const RECORDED_AT_ONCE = 500;
/** Maximum number of connections that record attempts. The rest are for requests. */
const RECORDING_CONNECTIONS = 2;

export interface DeliverySenderOptions extends Needs<'clock' | 'db' | 'logger' | 'serviceNames'> {
  policy: EndpointPolicy;
  /** @default a resolver that queries the name servers of this machine */
  resolver?: HostResolver;
  /** Maximum time for an endpoint's response, in milliseconds. @default 10000 (spec, "Events", 5) */
  timeoutMs?: number;
  /** @default nothing is called */
  onAttempt?: ((attempt: StoredAttempt) => void) | undefined;
  /** @default each delivery is sent once */
  intercept?: DeliveryInterceptor | undefined;
}

/** Sends leased deliveries and records their attempts. Attempts that end together are recorded in one transaction. */
export class DeliverySender {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #transport: DeliveryTransport;
  readonly #onAttempt: (attempt: StoredAttempt) => void;
  readonly #intercept: DeliveryInterceptor | undefined;
  readonly #aborting = new AbortController();
  readonly #attempts: AttemptQueue;
  readonly #releases: BatchQueue<LeasedDelivery, void>;

  /** `countRunning`: how many deliveries are being sent. Recording starts once all of them wait for it. */
  constructor(
    { clock, db, logger, policy, serviceNames, ...options }: DeliverySenderOptions,
    countRunning: () => number,
  ) {
    const { timeoutMs = WEBHOOK_RESPONSE_TIMEOUT_SECONDS * 1000, resolver = createHostResolver() } = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#transport = {
      headerNames: webhookHeadersOf(serviceNames),
      connections: createConnections(),
      resolver,
      timeoutMs,
      policy,
    };
    const batches = {
      maxSize: RECORDED_AT_ONCE,
      concurrency: RECORDING_CONNECTIONS,
      gatherMs: GATHER_MS,
      isComplete: (waiting: number) => waiting >= countRunning(),
    };
    this.#attempts = new BatchQueue({
      ...batches,
      run: (attempts) => recordAttempts(db, attempts, clock.now()),
    });
    this.#releases = new BatchQueue({
      ...batches,
      run: async (deliveries) => {
        await releaseDeliveries(db, deliveries);
        return deliveries.map(() => undefined);
      },
    });
    this.#onAttempt = options.onAttempt ?? (() => undefined);
    this.#intercept = options.intercept;
  }

  /** @throws Error if the attempt wasn't recorded before {@link abort}, or the lease wasn't released. */
  async deliver(delivery: LeasedDelivery): Promise<void> {
    const logger = this.#logger;
    const attemptedAt = this.#clock.now();
    const id = timeOrderedId(attemptedAt);
    const startedAt = performance.now();
    const result = await this.#send({ ...delivery, attemptId: id });
    if (result === undefined) return await this.#releases.add(delivery);
    const roundTrip = 'request' in result ? result : undefined;
    const durationMs = roundTrip?.durationMs ?? Math.round(performance.now() - startedAt);
    const { statusCode, failure } = result;
    const attempt = {
      ...{ id, delivery, attemptedAt, durationMs, statusCode, failure },
      roundTrip: roundTrip && roundTripColumns(roundTrip),
    };
    const decision = await recordUntilStored(this.#attempts, attempt, {
      logger,
      signal: this.#aborting.signal,
    });
    const { webhookId, event, id: deliveryId } = delivery;
    const fields = { webhookId, deliveryId, eventId: event.id, eventType: event.type, statusCode, failure };
    this.#onAttempt({ id, ...fields });
    logger.info(fields, failure === null ? 'Webhook delivered' : 'Webhook attempt failed');
    if (decision?.status === 'failed') logger.warn(fields, 'Webhook delivery failed after its last attempt');
    if (decision?.pauses === true) logger.warn(fields, 'Webhook paused after failed attempts');
  }

  abort(): void {
    this.#aborting.abort();
    this.#transport.resolver.cancel();
  }

  close(): void {
    this.#transport.connections.close();
  }

  async #send(delivery: InterceptedDelivery): Promise<AttemptResult | DeliveryRoundTrip | undefined> {
    const send = (changes?: { secret?: string }) =>
      sendDelivery({ ...delivery, ...changes }, this.#transport, this.#aborting.signal);
    return this.#intercept === undefined ? await send() : await this.#intercept(delivery, send);
  }
}

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
  attemptId: string;
}

/**
 * Sends a delivery in place of the worker. `send` sends it once, with another secret if one is passed. The returned
 * result is stored as the attempt, with its request and response if it has them. `undefined` releases the delivery
 * without an attempt.
 */
export type DeliveryInterceptor = (
  delivery: InterceptedDelivery,
  send: (changes?: { secret?: string }) => Promise<DeliveryRoundTrip | undefined>,
) => Promise<AttemptResult | DeliveryRoundTrip | undefined>;
