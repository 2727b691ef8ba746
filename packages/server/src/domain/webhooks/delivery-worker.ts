import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { WEBHOOK_RESPONSE_TIMEOUT_SECONDS } from '@latchkey/contract/constants';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import {
  type DueEndpoint,
  type LeasedDelivery,
  leaseDeliveries,
  listDueEndpoints,
  recordAttempt,
  releaseDelivery,
} from './delivery-queue.js';
import { sendDelivery } from './delivery-request.js';
import type { EndpointPolicy } from './endpoint-address.js';
import { createHostResolver, type HostResolver } from './endpoint-lookup.js';

/** How often a process looks for what is due, when nothing wakes it before. */
const POLL_MS = 1_000;
/** How soon it looks when it is woken: many requests that end together wake it once. */
const WAKE_MS = 20;
/** At how many endpoints a process delivers at once. Those that fail get no more than half of it. */
const MAX_ENDPOINTS = 32;
const MAX_FAILING_ENDPOINTS = MAX_ENDPOINTS / 2;
/** How many deliveries are on their way to one endpoint at once, from one process. */
const BATCH_SIZE = 4;
/** After so many batches an endpoint makes room for another one that waits. */
const BATCHES_PER_TURN = 8;
/** Longer than a delivery can take: who has not recorded it by then has died. */
const LEASE_MS = 60_000;

/** Sends what is due, side by side with the workers of any number of other processes. */
export interface DeliveryWorker {
  /** Looks for what is due every second from now on. */
  start(): void;
  /** Looks for what is due at once, if it was started: something may have been recorded. */
  wake(): void;
  /** Sends everything that is due by now, and resolves when nothing is any more. */
  deliverDue(): Promise<void>;
  /** Lets what is on its way end, for the grace; what is cut off then is given back, for others to send. */
  stop(): Promise<void>;
}

/** What the worker needs, and what tests give it instead. */
export interface DeliveryWorkerOptions {
  readonly clock: Clock;
  readonly db: Database;
  readonly logger: Logger;
  policy: EndpointPolicy;
  /** Default: the name servers of this machine. */
  resolver?: HostResolver;
  /** Default: the ten seconds that an endpoint has (spec, "Events", 5). */
  timeoutMs?: number;
  /** How long what is on its way may take when the worker stops. Default 3 seconds. */
  stoppingGraceMs?: number;
}

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { clock, logger, db, policy, resolver = createHostResolver() } = options;
  const { timeoutMs = WEBHOOK_RESPONSE_TIMEOUT_SECONDS * 1000, stoppingGraceMs = 3_000 } = options;
  const transport = { resolver, timeoutMs, policy };
  const aborting = new AbortController();
  /** The endpoints that are being delivered to. */
  const turns = new Map<string, { failing: boolean; end: Promise<void> }>();
  /** The looks in the background that have not ended. */
  let looking: Promise<unknown> = Promise.resolve();
  let lastServed = '';
  let timer: NodeJS.Timeout | undefined;
  let woken = false;
  let stopped = false;

  async function deliver(delivery: LeasedDelivery): Promise<void> {
    const attemptedAt = clock.now();
    const startedAt = performance.now();
    const outcome = await sendDelivery(delivery, transport, aborting.signal);
    if (outcome === undefined) return await releaseDelivery(db, delivery);
    const durationMs = Math.round(performance.now() - startedAt);
    const verdict = await recordAttempt(db, { delivery, attemptedAt, durationMs, ...outcome }, clock.now());
    const { webhookId, event, id: deliveryId } = delivery;
    const facts = { webhookId, deliveryId, eventId: event.id, eventType: event.type, ...outcome };
    logger.info(facts, outcome.failure === null ? 'webhook delivered' : 'webhook attempt failed');
    if (verdict?.status === 'failed') logger.warn(facts, 'webhook delivery given up');
    if (verdict?.pauses === true) logger.warn(facts, 'webhook paused: its endpoint failed for days');
  }

  async function takeTurn(webhookId: string): Promise<void> {
    for (let batch = 0; batch < BATCHES_PER_TURN && !stopped; batch += 1) {
      const now = clock.now();
      const lease = { id: randomUUID(), until: now + LEASE_MS, limit: BATCH_SIZE };
      const leased = await leaseDeliveries(db, webhookId, lease, now);
      const results = await Promise.allSettled(leased.map(deliver));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      if (leased.length < BATCH_SIZE) return;
    }
  }

  function begin({ webhookId, failing }: DueEndpoint): void {
    lastServed = webhookId;
    const end = takeTurn(webhookId)
      // The lease ends by itself, and the delivery is sent again then.
      .catch((error: unknown) => logger.error({ webhookId, error: String(error) }, 'webhook turn failed'))
      .finally(() => {
        turns.delete(webhookId);
        worker.wake();
      });
    turns.set(webhookId, { failing, end });
  }

  /** Begins a turn for every endpoint with something due, as far as there is room, one after the other in a circle. */
  async function lookAround(): Promise<number> {
    if (stopped || turns.size >= MAX_ENDPOINTS) return 0;
    const due = await listDueEndpoints(db, clock.now());
    const next = due.findIndex(({ webhookId }) => webhookId > lastServed);
    const circle = next === -1 ? due : [...due.slice(next), ...due.slice(0, next)];
    let begun = 0;
    for (const endpoint of circle) {
      if (stopped || turns.size >= MAX_ENDPOINTS) break;
      if (turns.has(endpoint.webhookId)) continue;
      const failing = [...turns.values()].filter((turn) => turn.failing).length;
      if (endpoint.failing && failing >= MAX_FAILING_ENDPOINTS) continue;
      begin(endpoint);
      begun += 1;
    }
    return begun;
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      woken = false;
      const look = lookAround()
        .catch((error: unknown) => logger.error({ error: String(error) }, 'looking for webhooks failed'))
        .finally(() => {
          if (!stopped && !woken) schedule(POLL_MS);
        });
      looking = Promise.all([looking, look]);
    }, ms).unref();
  }

  const worker: DeliveryWorker = {
    start() {
      if (timer === undefined) schedule(0);
    },
    wake() {
      if (timer === undefined || woken || stopped) return;
      woken = true;
      schedule(WAKE_MS);
    },
    async deliverDue() {
      while ((await lookAround()) > 0 || turns.size > 0) {
        await Promise.all([...turns.values()].map(({ end }) => end));
      }
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const impatient = setTimeout(() => {
        aborting.abort();
        resolver.cancel();
      }, stoppingGraceMs);
      await looking;
      await Promise.all([...turns.values()].map(({ end }) => end));
      clearTimeout(impatient);
    },
  };
  return worker;
}
