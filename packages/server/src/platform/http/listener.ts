import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as afterPolling } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';

/**
 * Maximum size of all request headers. The `continue` parameter of the sign-in page contains a whole authorization request.
 * Its `state` has up to 1024 characters, and repeated percent-encoding turns each into up to fifteen bytes.
 */
const MAX_HEADER_BYTES = 64 * 1024;
/**
 * Time that an idle connection stays open, in milliseconds. Longer than in common proxies (nginx: 60 s), so that the proxy
 * closes first. Otherwise a proxy could send a request on a connection that this server is closing.
 */
const KEEP_ALIVE_MS = 65_000;
/** Maximum time for a request to arrive, in milliseconds. The largest body has 100 kB. */
const REQUEST_TIMEOUT_MS = 30_000;
/** After this many turns of the event loop without a new connection, none is waiting. */
const QUIET_TURNS = 2;
/** Maximum number of turns, so that constant new connections can't delay the close forever. */
const MAX_TURNS = 1_000;
/** When the server closes, connections without a request are closed after this time, in milliseconds. */
const SILENT_CONNECTION_MS = 500;

/** HTTP server that listens on a port. */
export interface Listener {
  readonly port: number;
  /** Sets the function that handles requests. */
  onRequest(listener: RequestListener): void;
  /** Makes every later response close its connection, so that the caller connects to another process. */
  announceEnd(): void;
  /**
   * Stops accepting connections and waits for the running requests, up to `graceMs` milliseconds. Requests that take longer
   * are aborted.
   *
   * @returns the number of aborted requests.
   */
  close(graceMs: number): Promise<number>;
}

/**
 * Starts an HTTP server.
 *
 * @param port port number; 0 chooses a free one.
 * @throws Node's error, such as `EADDRINUSE` or `EACCES`.
 */
export async function listen(port: number, hostname: string, logger: Logger): Promise<Listener> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  });
  const connections = trackConnections(server);
  let isEnding = false;
  server.on('request', (_request, response) => {
    if (isEnding) response.setHeader('Connection', 'close');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      // A connection that cannot be accepted, for example because the system is out of buffers or file descriptors,
      // emits `error` on the server. Without a listener that would end the process.
      server.on('error', ({ message: reason }) => logger.error({ reason }, 'HTTP server error'));
      resolve();
    });
  });
  return {
    // The address is a string for pipes only.
    port: (server.address() as AddressInfo).port,
    onRequest: (listener) => void server.on('request', listener),
    announceEnd() {
      isEnding = true;
    },
    async close(graceMs) {
      isEnding = true;
      // Idle connections end first, so that `server.close` directly follows the check for waiting connections.
      connections.endIdle();
      await acceptWaitingConnections(server);
      const closed = new Promise((resolve) => server.close(resolve));
      const silenceTimer = setTimeout(
        () => void connections.destroyWithoutRequest(),
        Math.min(SILENT_CONNECTION_MS, graceMs),
      );
      let aborted = 0;
      const graceTimer = setTimeout(() => {
        aborted = connections.countRequests();
        server.closeAllConnections();
      }, graceMs);
      await closed;
      clearTimeout(silenceTimer);
      clearTimeout(graceTimer);
      return aborted;
    },
  };
}

/**
 * Lets Node accept the waiting connections, one in each turn of its event loop. Connections that still wait when a server
 * closes are reset. Their callers can't find out if the request was read.
 */
async function acceptWaitingConnections(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let turn = 0, quiet = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
    const before = accepted;
    await afterPolling();
    quiet = accepted === before ? quiet + 1 : 0;
  }
  server.off('connection', count);
}

/**
 * Counts the running requests of each connection. Node does not treat a connection as idle before its first request, so
 * `closeIdleConnections` would leave it open.
 */
function trackConnections(server: Server) {
  const running = new Map<Socket, number>();
  let isEnding = false;
  server.on('connection', (socket) => {
    running.set(socket, 0);
    socket.once('close', () => running.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    running.set(socket, (running.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1;
      if (running.has(socket)) running.set(socket, left);
      // A response that started before the end was announced has kept its connection open.
      if (isEnding) server.closeIdleConnections();
    });
  });
  return {
    endIdle() {
      isEnding = true;
      server.closeIdleConnections();
    },
    async destroyWithoutRequest() {
      // In a busy process, a timer fires before data that has already arrived is read.
      await afterPolling();
      await afterPolling();
      for (const [socket, requests] of running) if (requests === 0) socket.destroy();
    },
    countRequests: () => [...running.values()].reduce((sum, requests) => sum + requests, 0),
  };
}
