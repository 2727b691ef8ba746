import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@latchkey/contract/constants';
import type { Clock } from '../../../platform/clock.js';
import { hasDueRow } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { DEFAULT_LIMITS, type DeliveryLimits, DeliveryLoad } from './delivery-load.js';
import {
  type EndpointShare,
  type LeasedDelivery,
  leaseDeliveries,
  listDueEndpoints,
} from './delivery-queue.js';
import { DeliverySender, type DeliverySenderOptions } from './delivery-sender.js';

const POLL_MS = 1_000;
/** Delay after `wake`, in milliseconds. Requests that end together wake the worker once. */
const WAKE_MS = 20;
/** Deliveries that start in one turn of the event loop. Requests are handled between turns. */
const STARTED_AT_ONCE = 6;
/** How long due deliveries wait for requests in progress. A slow caller must not hold them up. */
const REQUESTS_FIRST_MS = 5;
/** Longer than any delivery takes: a worker that misses it is considered dead, or cut off from the database. */
const LEASE_MS = 60_000;

export interface DeliveryWorkerOptions extends DeliverySenderOptions {
  /** Maximum time for running deliveries when the worker stops, in milliseconds. @default 3000 */
  stoppingGraceMs?: number;
  /** @default 512 deliveries at once, and 1,024 late ones */
  limits?: DeliveryLimits;
  /** While the process serves requests, the next deliveries wait, for 5 ms at most. @default it serves none */
  isServing?: () => boolean;
}

/** Sends due deliveries. Any number of processes can run a worker on the same database. */
export class DeliveryWorker {
  readonly #clock: Clock;
  readonly #db: Database;
  readonly #logger: Logger;
  readonly #sender: DeliverySender;
  readonly #stoppingGraceMs: number;
  readonly #isServing: () => boolean;
  readonly #load: DeliveryLoad;
  readonly #running = new Set<Promise<void>>();
  #polling: Promise<unknown> = Promise.resolve();
  /** Poll that waits for the running one. */
  #nextPoll: Promise<number> | undefined;
  /** Id of the endpoint at which the last poll ended. The next one continues there. */
  #lastServed = '';
  /** True if the last poll found endpoints that can have more due deliveries. */
  #hasMore = false;
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor(options: DeliveryWorkerOptions) {
    this.#clock = options.clock;
    this.#db = options.db;
    this.#logger = options.logger;
    this.#sender = new DeliverySender(options, () => this.#running.size);
    this.#load = new DeliveryLoad(options.limits ?? DEFAULT_LIMITS);
    this.#stoppingGraceMs = options.stoppingGraceMs ?? 3_000;
    this.#isServing = options.isServing ?? (() => false);
  }

  start(): void {
    if (this.#timer === undefined) this.#schedule(0);
  }

  wake(): void {
    if (!this.#isWoken) this.#wakeAfter(WAKE_MS);
  }

  #wakeAfter(ms: number): void {
    if (this.#timer === undefined || this.#isStopped) return;
    this.#isWoken = true;
    this.#schedule(ms);
  }

  async deliverDue(): Promise<void> {
    while ((await this.#poll()) > 0 || this.#running.size > 0) {
      if (this.#running.size === 0) continue;
      // A finished delivery makes room for another one. Deliveries that end together cause one poll.
      await Promise.race(this.#running);
      if (this.#running.size > 0) await pause(WAKE_MS);
    }
  }

  /** Deliveries that take longer than the grace period are released to other workers. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const grace = setTimeout(() => this.#sender.abort(), this.#stoppingGraceMs);
    await this.#nextPoll?.catch(() => undefined);
    await this.#polling;
    await Promise.all(this.#running);
    clearTimeout(grace);
    this.#sender.close();
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isWoken = false;
      this.#poll()
        .catch((error: unknown) =>
          this.#logger.error({ error: messageOf(error) }, 'The search for due webhook deliveries failed'),
        )
        .finally(() => {
          if (!this.#isStopped && !this.#isWoken) this.#schedule(POLL_MS);
        });
    }, ms).unref();
  }

  /** Returns how many started. Callers that wait at the same time share one poll. */
  #poll(): Promise<number> {
    this.#nextPoll ??= this.#polling.then(() => {
      this.#nextPoll = undefined;
      const poll = this.#startDue();
      this.#polling = poll.catch(() => undefined);
      return poll;
    });
    return this.#nextPoll;
  }

  /** Starts due deliveries, round robin over their endpoints, up to the limits. Returns how many. */
  async #startDue(): Promise<number> {
    let started = 0;
    if (this.#isStopped || this.#load.free === 0) return started;
    this.#hasMore = false;
    if (!(await hasDueRow(this.#db, 'webhook_deliveries', this.#clock.now()))) return started;
    let isLastWalk = this.#lastServed === '';
    while (!this.#isStopped && this.#load.free > 0) {
      const now = this.#clock.now();
      const { due, next } = await listDueEndpoints(this.#db, this.#lastServed, now);
      this.#hasMore ||= due.length > 0;
      const shares = this.#load.share(due, this.#load.free);
      if (shares.length > 0) started += await this.#startShares(shares, now);
      this.#lastServed = this.#load.free === 0 ? (shares.at(-1)?.webhookId ?? '') : (next ?? '');
      if (next !== undefined) continue;
      if (isLastWalk) break;
      // The walk began in the middle. The next one begins with the first endpoint.
      isLastWalk = true;
    }
    return started;
  }

  async #startShares(shares: readonly EndpointShare[], now: number): Promise<number> {
    const lease = { id: randomUUID(), until: now + LEASE_MS };
    const leased = await leaseDeliveries(this.#db, shares, { lease, now });
    const failing = new Set(shares.filter((share) => share.failing).map(({ webhookId }) => webhookId));
    // A delivery's result can wait for the database until its lease has ended. It isn't sent again meanwhile.
    const fresh = leased.filter(({ id }) => !this.#load.has(id));
    for (let first = 0; first < fresh.length; first += STARTED_AT_ONCE) {
      const startedAt = performance.now();
      for (const delivery of fresh.slice(first, first + STARTED_AT_ONCE)) {
        this.#start(delivery, failing.has(delivery.webhookId));
      }
      // Requests get as much time as the deliveries took.
      await pause(performance.now() - startedAt);
      await this.#letRequestsGoFirst();
    }
    return fresh.length;
  }

  async #letRequestsGoFirst(): Promise<void> {
    const until = performance.now() + REQUESTS_FIRST_MS;
    while (this.#isServing() && performance.now() < until) await pause(1);
  }

  #start(delivery: LeasedDelivery, failing: boolean): void {
    const { id, webhookId } = delivery;
    this.#load.start(id, { webhookId, failing });
    const running = this.#sender
      .deliver(delivery)
      // The lease expires, and the delivery is sent again.
      .catch((error: unknown) =>
        this.#logger.error({ webhookId, error: messageOf(error) }, 'Webhook deliveries failed'),
      )
      .finally(() => {
        this.#load.end(id);
        this.#running.delete(running);
        if (!this.#hasMore) return;
        if (this.#running.size === 0) this.#wakeAfter(0);
        else this.wake();
      });
    this.#running.add(running);
  }
}
