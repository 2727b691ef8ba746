import type { RequestHandler } from 'express';
import type { Clock } from '../clock.js';
import type { Database } from '../database/open-database.js';
import { BACKLOG_LIMIT, readDeliveryBacklog } from '../health/health-queries.js';
import type { Readiness } from '../health/readiness.js';
import { requestObserver } from '../http/request-observer.js';

/** In seconds: from answers out of memory to the bound of a database statement. */
const DURATION_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What the service measures of itself. */
export interface Metrics {
  /** Measures requests. */
  readonly middleware: RequestHandler;
  /** Everything, in the text format of Prometheus. */
  collect(): Promise<{ contentType: string; text: string }>;
}

/** What is measured besides requests. */
interface Measured {
  readonly clock: Clock;
  readonly db: Database;
  readonly readiness: Readiness;
}

/**
 * Measures for Prometheus, by prom-client. No label holds anything that a caller chose, so callers cannot make series.
 */
export async function createMetrics(measured: Measured): Promise<Metrics> {
  // Loaded only when it is wanted: it takes longer than everything else at the start.
  const prometheus = await import('prom-client').then((module) => module.default);
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const requests = new prometheus.Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const gauge = (name: string, help: string) => new prometheus.Gauge({ name, help, registers: [registry] });
  const databaseUp = gauge('latchkey_database_up', '1 when the database answers within two seconds, else 0.');
  const pending = gauge(
    'latchkey_webhook_deliveries_pending',
    `Webhook deliveries that are still to be made, up to ${BACKLOG_LIMIT}.`,
  );
  const oldest = gauge(
    'latchkey_webhook_oldest_pending_seconds',
    'Age of the oldest webhook delivery that is still to be made; 0 when there is none.',
  );
  const overdue = gauge(
    'latchkey_webhook_delivery_lag_seconds',
    'How long the most overdue webhook delivery has been waiting for its attempt; 0 when none is due.',
  );

  async function measureDatabase(): Promise<void> {
    const answers = await measured.readiness.databaseAnswers();
    databaseUp.set(answers ? 1 : 0);
    const backlog = answers ? await readDeliveryBacklog(measured.db).catch(() => undefined) : undefined;
    const now = measured.clock.now();
    const secondsSince = (ms: number | null) => (ms === null ? 0 : Math.max(0, now - ms) / 1000);
    // What cannot be known is no number, rather than the last one or zero.
    pending.set(backlog?.pending ?? Number.NaN);
    oldest.set(backlog === undefined ? Number.NaN : secondsSince(backlog.oldestCreatedAt));
    overdue.set(backlog === undefined ? Number.NaN : secondsSince(backlog.nextAttemptAt));
  }

  return {
    middleware: requestObserver(({ seconds, ...labels }) => requests.observe(labels, seconds)),
    async collect() {
      await measureDatabase();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
