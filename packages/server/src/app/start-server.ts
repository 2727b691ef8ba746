import type { RequestListener } from 'node:http';
import { PATHS, type ServiceNames } from '@latchkey/contract/constants';
import { createJoinRequestHandler } from '../features/messenger/join-requests.js';
import { createOperator, type Operator } from '../features/operator/operator.js';
import { DeliveryWorker } from '../features/webhooks/sending/delivery-worker.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { abortStatements } from '../platform/database/kysely/engine.js';
import { type Listener, listen } from '../platform/http/listener.js';
import { checkBaseUrl } from '../platform/http/web-origin.js';
import { defaultLogger } from '../platform/logging/logger.js';
import { redactingLogger } from '../platform/logging/redaction.js';
import { listenForMetrics } from '../platform/metrics/metrics.js';
import { createApp } from './app.js';
import { chosenServices, createServices, measureService } from './create-services.js';
import { rejectUnknownOptions } from './known-options.js';
import type { ServerOptions, ShutdownOptions } from './options.js';
import { openServiceDatabase } from './service-database.js';
import type { Needs, Services } from './services.js';
import { checkClock } from './watch-clock.js';

const DEFAULT_GRACE_MS = 5_000;
/** Otherwise a database that doesn't respond would hold the process until the statements' timeout. */
const ABORT_AFTER_MS = 500;

/** A running server. */
export interface RunningServer {
  /** Origin of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly port: number;
  /** IP address that the server listens on. For a passed socket it can differ from the option `hostname`. */
  readonly address: string;
  /** The service's names: from the option, or the spec's placeholders. */
  readonly serviceNames: ServiceNames;
  /** Port of the metrics. Present if the option `metrics` is set. */
  readonly metricsPort?: number;
  readonly operator: Operator;
  /** Source of the service's current time. */
  readonly clock: Clock;
  /**
   * Does all background work that is due by the service's clock: renews subscriptions, publishes expired memberships,
   * deletes expired rows, sends webhooks and emails. Resolves when nothing is due. For tests, and for code that moves
   * the clock.
   */
  runBackgroundWork(): Promise<void>;
  /**
   * Shuts down gracefully: reports not ready, finishes running requests and deliveries, closes the database. The option
   * `shutdown` sets the delays. Calling it again returns the same promise.
   */
  close(): Promise<void>;
}

/**
 * Starts the service.
 *
 * @throws Error about an option that is missing, invalid or unknown.
 * @throws Node.js's own error if the port or the socket can't be used, for example with the code `EADDRINUSE`.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  rejectUnknownOptions(options, 'startServer');
  if (options.baseUrl !== undefined) checkBaseUrl(options.baseUrl);
  const { clock = systemClock } = options;
  const chosen = chosenServices(options);
  const logger = redactingLogger(options.logger ?? defaultLogger, chosen.serviceNames.apiKeyPrefix);
  const db = await openServiceDatabase(options, { logger, now: clock.now() });
  const listeners: Listener[] = [];
  try {
    await checkClock({ db, clock, logger });
    const measured = await measureService({ db, clock, logger }, options);
    if (measured.metrics !== undefined && options.metrics !== undefined) {
      listeners.push(await listenForMetrics(options.metrics, measured.metrics, logger));
    }
    const [metricsListener] = listeners;
    const { port = 4400, hostname = '127.0.0.1', listeningSocket } = options;
    const listener = await listen(
      listeningSocket === undefined ? { port, hostname } : { fd: listeningSocket },
      logger,
    );
    listeners.push(listener);
    const host = listeningSocket === undefined ? hostname : listener.address;
    const baseUrl = checkBaseUrl(options.baseUrl ?? `http://${urlHost(host)}:${listener.port}`);
    const services = createServices({ ...measured, ...chosen, baseUrl, clock, logger, db }, options);
    return run(services, { listener, metricsListener }, options);
  } catch (error) {
    for (const listener of listeners) await listener.close(0);
    await db.destroy();
    throw error;
  }
}

function run(
  services: Services,
  { listener, metricsListener }: Omit<Running, 'workers'>,
  { backgroundWork = true, shutdown, onDeliveryAttempt, interceptDelivery }: ServerOptions,
): RunningServer {
  const { baseUrl, clock, dueWork, outgoingMail } = services;
  services.messengerBot?.onJoinRequest(createJoinRequestHandler(services));
  warnOfMissingPayments(services);
  const deliveries = new DeliveryWorker({
    ...services,
    policy: services.webhookPolicy,
    isServing: () => listener.isServing,
    onAttempt: onDeliveryAttempt,
    intercept: interceptDelivery,
  });
  listener.onRequest(createApp(services));
  listener.onRequest(wakeAfterChange(deliveries));
  if (backgroundWork) {
    dueWork.start();
    outgoingMail.start();
    deliveries.start();
  }
  const workers = [dueWork, deliveries, outgoingMail];
  let closed: Promise<void> | undefined;
  return {
    baseUrl,
    port: listener.port,
    address: listener.address,
    serviceNames: services.serviceNames,
    ...(metricsListener && { metricsPort: metricsListener.port }),
    operator: createOperator(services),
    clock,
    async runBackgroundWork() {
      await dueWork.runDue();
      await Promise.all([deliveries.deliverDue(), outgoingMail.runDue()]);
    },
    close() {
      closed ??= shutDown(services, { listener, metricsListener, workers }, shutdown);
      return closed;
    },
  };
}

function warnOfMissingPayments({ payments, logger }: Services): void {
  if (payments === undefined)
    logger.warn({ option: 'payments' }, 'No payment provider: nothing can be sold, and buy-plan answers 503');
}

/** Wakes the delivery worker after each request that may have written events. Token requests write none. */
function wakeAfterChange(deliveries: DeliveryWorker): RequestListener {
  return ({ method, url }, response) => {
    if (method === 'GET' || method === 'HEAD' || url === PATHS.token) return;
    response.once('close', () => deliveries.wake());
  };
}

function urlHost(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}

interface Running {
  readonly listener: Listener;
  readonly metricsListener: Listener | undefined;
  /** Background workers. They release their leases when they stop, so other processes can continue at once. */
  readonly workers: readonly { stop(): Promise<void> }[];
}

/** A failed step is logged, and the next one runs anyway. @throws the first error, after all steps have run. */
async function shutDown(
  { readiness, logger, db }: Needs<'readiness' | 'logger' | 'db'>,
  { listener, metricsListener, workers }: Running,
  { drainDelayMs = 0, graceMs = DEFAULT_GRACE_MS }: ShutdownOptions = {},
): Promise<void> {
  const errors: unknown[] = [];
  const step = async (name: string, work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      errors.push(error);
      logger.error({ error, step: name }, 'Shutdown step failed');
    }
  };
  const finishRequests = async () => {
    const aborted = await listener.close(graceMs);
    if (aborted > 0) logger.warn({ aborted, graceMs }, 'Aborted requests that exceeded the grace period');
  };
  await step('drain', async () => {
    readiness.startClosing();
    listener.announceEnd();
    if (drainDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
  });
  await step('requests and background work', async () => {
    const abort = setTimeout(() => {
      logger.warn({ graceMs }, 'Aborted database statements that exceeded the grace period');
      abortStatements(db);
    }, graceMs + ABORT_AFTER_MS);
    const results = await Promise.allSettled([finishRequests(), ...workers.map((worker) => worker.stop())]);
    clearTimeout(abort);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
  await step('metrics', () => metricsListener?.close(0));
  await step('database', () => db.destroy());
  if (errors.length > 0) throw errors[0];
}
