import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Readiness } from '../health/readiness.js';
import { type Listener, listen } from '../http/listener.js';
import { answeredStatus, namedRoute } from '../http/request-log.js';
import type { Logger } from '../logging/logger.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Not `request.baseUrl`, which contains what the caller sent if a router is mounted at a pattern. */
function routeOf(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === 'string' ? path : 'none';
}

/** Histogram buckets in seconds, from in-memory responses up to the database statement timeout. */
const DURATION_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  readonly middleware: RequestHandler;
  collect(): Promise<{ contentType: string; text: string }>;
}

export interface GaugeSource {
  readonly help: Readonly<Record<string, string>>;
  /** Reads all values. Called only while the database responds. */
  read(): Promise<Readonly<Record<string, number>>>;
}

/** Creates the metrics with prom-client. No label contains anything from a caller, so callers can't create time series. */
export async function createMetrics({
  readiness,
  gauges,
}: {
  readonly readiness: Readiness;
  readonly gauges: GaugeSource;
}): Promise<Metrics> {
  // Loaded on demand: it takes longer than the rest of the start.
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
    middleware(request, response, next) {
      const started = performance.now();
      // The response closes once it's sent or its caller has left.
      response.once('close', () => {
        const labels = {
          method: METHODS.has(request.method) ? request.method : 'other',
          route: namedRoute(response) ?? routeOf(request),
          status: answeredStatus(response),
        };
        requests.observe(labels, (performance.now() - started) / 1000);
      });
      next();
    },
    async collect() {
      await measureDatabase();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Address of the metrics. */
export interface MetricsAddress {
  /** Port number; 0 chooses a free one. */
  port: number;
  /**
   * Network interface.
   *
   * @default "127.0.0.1", which only this machine can reach
   */
  hostname?: string | undefined;
}

/** A page that reads other machines through DNS rebinding needs a domain, which has a dot. */
function isLocalHost(host: string, hostname: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return /^[a-z0-9_-]+$/.test(name) || name === hostname.toLowerCase();
}

/** Serves the metrics at `/metrics` on a separate port, where the service's callers can't reach them. */
export async function listenForMetrics(
  { port, hostname = '127.0.0.1' }: MetricsAddress,
  metrics: Metrics,
  logger: Logger,
): Promise<Listener> {
  const listener = await listen({ port, hostname }, logger);
  listener.onRequest(async ({ method, url, headers }, response) => {
    const refuse = (status: number, message: string, more: Record<string, string> = {}) =>
      void response.writeHead(status, { ...more, 'Content-Type': 'text/plain' }).end(`${message}\n`);
    if (!isLocalHost(headers.host ?? '', hostname))
      return refuse(421, 'Use the IP address of this machine, or its name without a domain.');
    if (url?.split('?')[0] !== '/metrics') return refuse(404, 'Metrics are at /metrics.');
    if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'Only GET is allowed.', { Allow: 'GET' });
    try {
      const { contentType, text } = await metrics.collect();
      response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
    } catch (error) {
      logger.error({ error }, 'Metrics could not be collected');
      refuse(500, 'The metrics could not be collected.');
    }
  });
  return listener;
}
