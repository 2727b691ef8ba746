import type { RequestHandler } from 'express';
import type { Readiness } from '../health/readiness.js';
import { requestObserver } from '../http/request-observer.js';

/** Histogram buckets in seconds, from in-memory responses up to the database statement timeout. */
const DURATION_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of the service. */
export interface Metrics {
  /** Measures requests. */
  readonly middleware: RequestHandler;
  /** Returns all metrics in the text format of Prometheus. */
  collect(): Promise<{ contentType: string; text: string }>;
}

/** Gauges whose values one query reads. */
export interface GaugeSource {
  /** Help texts by metric name. */
  readonly help: Readonly<Record<string, string>>;
  /** Reads all values. It is called only while the database answers. */
  read(): Promise<Readonly<Record<string, number>>>;
}

/** Sources of the metrics. */
interface MetricsSources {
  readonly readiness: Readiness;
  readonly gauges: GaugeSource;
}

/** Creates the metrics with prom-client. No label contains text from a caller, so callers can't create time series. */
export async function createMetrics({ readiness, gauges }: MetricsSources): Promise<Metrics> {
  // Loaded on demand, because loading it takes longer than the rest of the start.
  const prometheus = await import('prom-client').then((module) => module.default);
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const requests = new prometheus.Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const gauge = (name: string, help: string) => new prometheus.Gauge({ name, help, registers: [registry] });
  const databaseUp = gauge('latchkey_database_up', '1 if the database answers within two seconds, else 0.');
  const measured = Object.entries(gauges.help).map(([name, help]) => ({ name, gauge: gauge(name, help) }));

  async function measureDatabase(): Promise<void> {
    const isUp = await readiness.databaseAnswers();
    databaseUp.set(isUp ? 1 : 0);
    const values = isUp ? await gauges.read().catch(() => undefined) : undefined;
    // An unknown value is NaN. The previous value or zero would be wrong.
    for (const { name, gauge: one } of measured) one.set(values?.[name] ?? Number.NaN);
  }

  return {
    middleware: requestObserver(({ seconds, ...labels }) => requests.observe(labels, seconds)),
    async collect() {
      await measureDatabase();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
