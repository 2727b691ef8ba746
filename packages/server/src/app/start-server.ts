import type { RequestListener } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerJoinRequests } from '../domain/messenger/answer-join-request.js';
import { reserveDatabase } from '../domain/operator/database-purpose.js';
import { createOperator, type Operator } from '../domain/operator/operator.js';
import { createDeliveryWorker, type DeliveryWorker } from '../domain/webhooks/delivery-worker.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { type Database, databaseName, openDatabase } from '../platform/database/open-database.js';
import { waitForDatabase } from '../platform/database/wait-for-database.js';
import { pingDatabase } from '../platform/health/health-queries.js';
import { createReadiness } from '../platform/health/readiness.js';
import { type Listener, listen } from '../platform/http/listener.js';
import { checkLogUrl } from '../platform/http/log-url.js';
import { defaultLogger, type Logger } from '../platform/logging/logger.js';
import { redactingLogger } from '../platform/logging/redacting-logger.js';
import { createMetrics } from '../platform/metrics/metrics.js';
import { listenForMetrics } from '../platform/metrics/metrics-listener.js';
import { PLAIN_SITE } from '../web/ui/site.js';
import { createApp } from './app.js';
import { createLifecycle } from './background-tasks.js';
import { closeInOrder } from './close-in-order.js';
import { checkBaseUrl, checkDatabase, openMailer, type ServerOptions } from './options.js';
import type { Services } from './services.js';
import { closingSteps } from './shutdown-steps.js';

/** The service while it runs. */
export interface RunningServer {
  /** The service's own origin, without a slash at the end. */
  readonly baseUrl: string;
  readonly port: number;
  /** Where metrics are told, when the option `metrics` is given. */
  readonly metricsPort?: number;
  readonly operator: Operator;
  /** The service's source of the current time. */
  readonly clock: Clock;
  /**
   * Does at once what otherwise happens in the background, as far as it is due by the service's clock: renews
   * subscriptions, tells of memberships that have lapsed, deletes what has expired, sends webhooks. Resolves when nothing is due any more. For tests, and for whoever moves the clock.
   */
  runBackgroundWork(): Promise<void>;
  /**
   * Says so to load balancers, lets running requests and deliveries end, then closes the database; see the option
   * `shutdown`. Calling it again waits for the same end.
   */
  close(): Promise<void>;
}

/**
 * Starts the service.
 *
 * @throws Error naming the option that is missing or wrong; Node's own error when the port is taken (`EADDRINUSE`).
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  if (options.baseUrl !== undefined) checkBaseUrl(options.baseUrl);
  if (options.logUrl !== undefined) checkLogUrl(options.logUrl);
  const { clock = systemClock } = options;
  const mailer = openMailer(options);
  const logger = redactingLogger(options.logger ?? defaultLogger);
  const db = await openOwnDatabase(options, { logger, now: clock.now() });
  const readiness = createReadiness(() => pingDatabase(db));
  let listener: Listener | undefined;
  let metricsListener: Listener | undefined;
  try {
    const { hostname = '127.0.0.1' } = options;
    const metrics = options.metrics && (await createMetrics({ clock, db, readiness }));
    metricsListener =
      metrics && options.metrics && (await listenForMetrics(options.metrics, metrics, logger));
    listener = await listen(options.port ?? 4400, hostname, logger);
    const baseUrl = checkBaseUrl(options.baseUrl ?? `http://${urlHost(hostname)}:${listener.port}`);
    const { messengerBot, payments } = options;
    const lifecycle = createLifecycle({ db, clock, logger, payments });
    const services: Services = {
      baseUrl,
      clock,
      logger,
      logUrl: options.logUrl,
      mailer,
      messengerBot,
      payments,
      lifecycle,
      db,
      readiness,
      metrics,
      widgetDirectory: options.widgetAssets?.directory ?? findWidgetDirectory(),
      trustProxy: options.trustProxy ?? false,
      widgetCache: options.widgetAssets?.cache ?? true,
      site: options.site ?? PLAIN_SITE,
      signInChoices: options.signInChoices ?? {},
      apiReference: options.apiReference ?? {},
      webhookPolicy: { allowLoopback: options.webhookTargets === 'public-and-loopback' },
      additionalRoutes: options.routes,
    };
    messengerBot?.onJoinRequest(answerJoinRequests(services));
    warnOfMissingPayments(services);
    listener.onRequest(createApp(services));
    const deliveries = createDeliveryWorker({ ...services, policy: services.webhookPolicy });
    if (options.backgroundWork ?? true) {
      lifecycle.start();
      deliveries.start();
    }
    listener.onRequest(wakeAfterChange(deliveries));
    const closing = closingSteps(
      { listener, metricsListener, ...services },
      [lifecycle, deliveries],
      options.shutdown,
    );
    let closed: Promise<void> | undefined;
    return {
      baseUrl,
      port: listener.port,
      ...(metricsListener && { metricsPort: metricsListener.port }),
      operator: createOperator(services),
      clock,
      runBackgroundWork: () => lifecycle.runDue().then(() => deliveries.deliverDue()),
      close() {
        closed ??= closeInOrder(closing, logger);
        return closed;
      },
    };
  } catch (error) {
    await listener?.close(0);
    await metricsListener?.close(0);
    await db.destroy();
    throw error;
  }
}

/** Opens the database for this purpose, waiting for it if the options say so. */
async function openOwnDatabase(
  options: ServerOptions,
  { logger, now }: { logger: Logger; now: number },
): Promise<Database> {
  const url = checkDatabase(options);
  const open = async () => {
    const db = await openDatabase(url, { logger });
    try {
      await reserveDatabase(db, options.databasePurpose ?? 'service', now);
      return db;
    } catch (error) {
      await db.destroy();
      throw error;
    }
  };
  const signal = options.waitForDatabase;
  if (signal === undefined) return await open();
  return await waitForDatabase(open, { host: databaseName(url), logger, signal });
}

function warnOfMissingPayments({ payments, logger }: Services): void {
  if (payments === undefined)
    logger.warn({ option: 'payments' }, 'no payment provider: nothing can be sold, and buy-plan answers 503');
}

/** What a request changed is there for the worker when it is answered. */
function wakeAfterChange(deliveries: DeliveryWorker): RequestListener {
  return ({ method }, response) => {
    if (method !== 'GET' && method !== 'HEAD') response.once('close', () => deliveries.wake());
  };
}

function urlHost(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}

/** The folder that the installed widget was built to; `undefined` when it is not installed. */
function findWidgetDirectory(): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.resolve('@latchkey/widget/latchkey.js')));
  } catch {
    return undefined;
  }
}
