import { type Listener, listen } from '../http/listener.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from './metrics.js';

/** Where metrics are told. */
export interface MetricsAddress {
  /** 0 takes any free one. */
  port: number;
  /** Default `127.0.0.1`: this machine only. */
  hostname?: string | undefined;
}

/** Tells the metrics at `/metrics` of a port of their own, which the service's callers need not reach. */
export async function listenForMetrics(
  { port, hostname = '127.0.0.1' }: MetricsAddress,
  metrics: Metrics,
  logger: Logger,
): Promise<Listener> {
  const listener = await listen(port, hostname, logger);
  listener.onRequest(({ method, url }, response) => {
    if (url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at /metrics.\n');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET', 'Content-Type': 'text/plain' }).end('Only GET.\n');
      return;
    }
    metrics.collect().then(
      ({ contentType, text }) => {
        response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
      },
      (error: unknown) => {
        logger.error({ error }, 'metrics could not be told');
        response
          .writeHead(500, { 'Content-Type': 'text/plain' })
          .end('The metrics could not be collected.\n');
      },
    );
  });
  return listener;
}
