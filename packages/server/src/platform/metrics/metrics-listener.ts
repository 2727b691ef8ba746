import { isIP } from 'node:net';
import { type Listener, listen } from '../http/listener.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from './metrics.js';

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

/**
 * True if the host is an IP address, a name without a dot such as `localhost`, or the name that the listener was started
 * with. A page that reads other machines through DNS rebinding needs a domain of its own.
 */
function isLocalHost(host: string, hostname: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return /^[a-z0-9_-]+$/.test(name) || name === hostname.toLowerCase();
}

/** Serves the metrics at `/metrics` on a separate port, so that callers of the service can't reach them. */
export async function listenForMetrics(
  { port, hostname = '127.0.0.1' }: MetricsAddress,
  metrics: Metrics,
  logger: Logger,
): Promise<Listener> {
  const listener = await listen({ port, hostname }, logger);
  listener.onRequest(({ method, url, headers }, response) => {
    if (!isLocalHost(headers.host ?? '', hostname)) {
      const message = 'Use the IP address of this machine, or its name without a domain.\n';
      response.writeHead(421, { 'Content-Type': 'text/plain' }).end(message);
      return;
    }
    if (url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at /metrics.\n');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET', 'Content-Type': 'text/plain' }).end('Only GET is allowed.\n');
      return;
    }
    metrics.collect().then(
      ({ contentType, text }) => {
        response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
      },
      (error: unknown) => {
        logger.error({ error }, 'Metrics could not be collected');
        response
          .writeHead(500, { 'Content-Type': 'text/plain' })
          .end('The metrics could not be collected.\n');
      },
    );
  });
  return listener;
}
