import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import {
  type ServiceNames,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  webhookHeadersOf,
} from '@latchkey/contract/constants';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import { storedExchangeOf } from './attempt-exchange.js';
import type { AttemptResult } from './attempt-result.js';
import {
  type DueEndpoint,
  type LeasedDelivery,
  leaseDeliveries,
  listDueEndpoints,
  releaseDelivery,
} from './delivery-queue.js';
import { type DeliveryExchange, type DeliveryTransport, exchangeDelivery } from './delivery-request.js';
import type { EndpointPolicy } from './endpoint-address.js';
import { createHostResolver, type HostResolver } from './endpoint-lookup.js';
import { recordUntilStored } from './record-until-stored.js';

/** Time between two polls, in milliseconds. */
const POLL_MS = 1_000;
/** Delay after `wake`, in milliseconds. Requests that end together wake the worker once. */
const WAKE_MS = 20;
/** Maximum number of endpoints that a process delivers to at once. Failing endpoints get at most half of it. */
const MAX_ENDPOINTS = 32;
const MAX_FAILING_ENDPOINTS = MAX_ENDPOINTS / 2;
/** Maximum number of concurrent deliveries from one process to one endpoint. */
const BATCH_SIZE = 4;
/** Batches per turn. After them, other endpoints get their turn. */
const BATCHES_PER_TURN = 8;
/** Longer than any delivery takes. A worker that misses this deadline is considered dead, or without a database. */
const LEASE_MS = 60_000;

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
  send: (changes?: { secret?: string }) => Promise<DeliveryExchange | undefined>,
) => Promise<AttemptResult | DeliveryExchange | undefined>;

/** Options of {@link DeliveryWorker}. */
export interface DeliveryWorkerOptions {
  readonly clock: Clock;
  readonly db: Database;
  readonly logger: Logger;
  readonly serviceNames: ServiceNames;
  policy: EndpointPolicy;
  /** @default a resolver that queries the name servers of this machine */
  resolver?: HostResolver;
  /**
   * Maximum time for an endpoint's response, in milliseconds.
   *
   * @default 10000 (spec, "Events", 5)
   */
  timeoutMs?: number;
  /**
   * Maximum time for running deliveries when the worker stops, in milliseconds.
   *
   * @default 3000
   */
  stoppingGraceMs?: number;
  /** @default nothing is called */
  onAttempt?: ((attempt: StoredAttempt) => void) | undefined;
  /** @default the worker sends each delivery once */
  intercept?: DeliveryInterceptor | undefined;
}

/** Deliveries to one endpoint that are under way. */
interface Turn {
  failing: boolean;
  end: Promise<void>;
}

/** Sends due deliveries. Any number of processes can run a worker on the same database. */
export class DeliveryWorker {
  readonly #clock: Clock;
  readonly #db: Database;
  readonly #logger: Logger;
  readonly #transport: DeliveryTransport;
  readonly #stoppingGraceMs: number;
  readonly #onAttempt: (attempt: StoredAttempt) => void;
  readonly #intercept: DeliveryInterceptor | undefined;
  readonly #aborting = new AbortController();
  /** Turns by webhook id. */
  readonly #turns = new Map<string, Turn>();
  /** Settles when all polls that have started are over. */
  #polling: Promise<unknown> = Promise.resolve();
  #lastServed = '';
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor({ clock, db, logger, policy, serviceNames, ...options }: DeliveryWorkerOptions) {
    const { timeoutMs = WEBHOOK_RESPONSE_TIMEOUT_SECONDS * 1000, stoppingGraceMs = 3_000 } = options;
    const { resolver = createHostResolver() } = options;
    this.#clock = clock;
    this.#db = db;
    this.#logger = logger;
    this.#transport = { headerNames: webhookHeadersOf(serviceNames), resolver, timeoutMs, policy };
    this.#stoppingGraceMs = stoppingGraceMs;
    this.#onAttempt = options.onAttempt ?? (() => undefined);
    this.#intercept = options.intercept;
  }

  /** Starts polling for due deliveries. */
  start(): void {
    if (this.#timer === undefined) this.#schedule(0);
  }

  /** Looks for due deliveries at once, if the worker was started. */
  wake(): void {
    if (this.#timer === undefined || this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    this.#schedule(WAKE_MS);
  }

  /** Sends all due deliveries. Resolves when none is due. */
  async deliverDue(): Promise<void> {
    while ((await this.#startTurns()) > 0 || this.#turns.size > 0) await this.#runningTurns();
  }

  /** Waits for running deliveries, up to the grace period. Deliveries that take longer are released to other workers. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const grace = setTimeout(() => {
      this.#aborting.abort();
      this.#transport.resolver.cancel();
    }, this.#stoppingGraceMs);
    await this.#polling;
    await this.#runningTurns();
    clearTimeout(grace);
  }

  async #runningTurns(): Promise<void> {
    await Promise.all([...this.#turns.values()].map(({ end }) => end));
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isWoken = false;
      const poll = this.#startTurns()
        .catch((error: unknown) =>
          this.#logger.error({ error: String(error) }, 'The search for due webhook deliveries failed'),
        )
        .finally(() => {
          if (!this.#isStopped && !this.#isWoken) this.#schedule(POLL_MS);
        });
      this.#polling = Promise.all([this.#polling, poll]);
    }, ms).unref();
  }

  /** Starts a turn for each endpoint with due deliveries, round robin, up to the limits. Returns the number of turns. */
  async #startTurns(): Promise<number> {
    const turns = this.#turns;
    if (this.#isStopped || turns.size >= MAX_ENDPOINTS) return 0;
    const due = await listDueEndpoints(this.#db, this.#clock.now());
    const next = due.findIndex(({ webhookId }) => webhookId > this.#lastServed);
    const roundRobin = next === -1 ? due : [...due.slice(next), ...due.slice(0, next)];
    let started = 0;
    for (const endpoint of roundRobin) {
      if (this.#isStopped || turns.size >= MAX_ENDPOINTS) break;
      if (turns.has(endpoint.webhookId)) continue;
      const failing = [...turns.values()].filter((turn) => turn.failing).length;
      if (endpoint.failing && failing >= MAX_FAILING_ENDPOINTS) continue;
      this.#startTurn(endpoint);
      started += 1;
    }
    return started;
  }

  #startTurn({ webhookId, failing }: DueEndpoint): void {
    this.#lastServed = webhookId;
    const end = this.#deliverTo(webhookId)
      // The lease expires, and the delivery is sent again then.
      .catch((error: unknown) =>
        this.#logger.error({ webhookId, error: String(error) }, 'Webhook deliveries failed'),
      )
      .finally(() => {
        this.#turns.delete(webhookId);
        this.wake();
      });
    this.#turns.set(webhookId, { failing, end });
  }

  async #deliverTo(webhookId: string): Promise<void> {
    for (let batch = 0; batch < BATCHES_PER_TURN && !this.#isStopped; batch += 1) {
      const now = this.#clock.now();
      const lease = { id: randomUUID(), until: now + LEASE_MS, limit: BATCH_SIZE };
      const leased = await leaseDeliveries(this.#db, webhookId, lease, now);
      const results = await Promise.allSettled(leased.map((delivery) => this.#deliver(delivery)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      if (leased.length < BATCH_SIZE) return;
    }
  }

  async #deliver(delivery: LeasedDelivery): Promise<void> {
    const logger = this.#logger;
    const id = randomUUID();
    const attemptedAt = this.#clock.now();
    const startedAt = performance.now();
    const result = await this.#send({ ...delivery, attemptId: id });
    if (result === undefined) return await releaseDelivery(this.#db, delivery);
    const exchange = 'request' in result ? result : undefined;
    const durationMs = exchange?.durationMs ?? Math.round(performance.now() - startedAt);
    const { statusCode, failure } = result;
    const attempt = {
      ...{ id, delivery, attemptedAt, durationMs, statusCode, failure },
      exchange: exchange && storedExchangeOf(exchange),
    };
    const decision = await recordUntilStored(this.#db, attempt, {
      logger,
      signal: this.#aborting.signal,
      now: () => this.#clock.now(),
    });
    const { webhookId, event, id: deliveryId } = delivery;
    const fields = { webhookId, deliveryId, eventId: event.id, eventType: event.type, statusCode, failure };
    this.#onAttempt({ id, ...fields });
    logger.info(fields, failure === null ? 'Webhook delivered' : 'Webhook attempt failed');
    if (decision?.status === 'failed') logger.warn(fields, 'Webhook delivery failed after its last attempt');
    if (decision?.pauses === true) logger.warn(fields, 'Webhook paused after failed attempts');
  }

  async #send(delivery: InterceptedDelivery): Promise<AttemptResult | DeliveryExchange | undefined> {
    const send = (changes?: { secret?: string }) =>
      exchangeDelivery({ ...delivery, ...changes }, this.#transport, this.#aborting.signal);
    return this.#intercept === undefined ? await send() : await this.#intercept(delivery, send);
  }
}
