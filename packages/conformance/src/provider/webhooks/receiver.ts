import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

/** A delivery as it arrived. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  /** Raw body. */
  readonly body: Buffer;
}

/** A web server that accepts all deliveries. */
export interface Receiver {
  readonly port: number;
  /** All deliveries so far. */
  received(): readonly Delivery[];
  /** Waits until a delivery matches. `undefined` if none does in the time. */
  waitFor(matches: (delivery: Delivery) => boolean, timeoutMs: number): Promise<Delivery | undefined>;
  close(): Promise<void>;
}

/** Largest body that is kept, in bytes. */
const BODY_LIMIT = 1024 * 1024;
const POLL_MS = 50;

/** Starts a receiver on the loopback interface. A tunnel can forward to it. */
export async function startReceiver(port: number): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (body.length <= BODY_LIMIT) deliveries.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received: () => [...deliveries],
    async waitFor(matches, timeoutMs) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const found = deliveries.find(matches);
        if (found !== undefined || performance.now() > end) return found;
        await setTimeout(POLL_MS);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
