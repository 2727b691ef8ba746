import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as afterPolling } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';

/**
 * Room for an authorization request that is the `continue` of another address: `state` may have 1024 characters, and
 * each can take fifteen bytes by then.
 */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longer than proxies keep idle connections (nginx 60 s): who closes first decides who sees a request fail. */
const KEEP_ALIVE_MS = 65_000;
/** Maximum time for a request to arrive, in milliseconds. The largest body has 100 kB. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Turns of the event loop without a new connection after which none is waiting, and the maximum number of turns. */
const QUIET_TURNS = 2;
const MAX_TURNS = 1_000;
/** Time that a connection without a request stays open when the server closes, in milliseconds. */
const SILENT_CONNECTION_MS = 500;

/** A port that is listened on, and how that ends. */
export interface Listener {
  readonly port: number;
  /** Sends requests here from now on. */
  onRequest(listener: RequestListener): void;
  /** Makes every later response close its connection, so that the caller connects to another process. */
  announceEnd(): void;
  /**
   * Takes no new connections, and resolves when the running requests have their answers; what takes longer than the grace is
   * cut off.
   * @returns how many requests were cut off.
   */
  close(graceMs: number): Promise<number>;
}

/**
 * Listens on a port; 0 takes any free one.
 * @throws Node's own error: `EADDRINUSE`, `EACCES`, …
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
      server.on('error', ({ message: reason }) => logger.error({ reason }, 'the HTTP server had an error'));
      resolve();
    });
  });
  return {
    // Listening on a port, so the address is one: a string stands for a pipe.
    port: (server.address() as AddressInfo).port,
    onRequest: (listener) => void server.on('request', listener),
    announceEnd() {
      isEnding = true;
    },
    async close(graceMs) {
      isEnding = true;
      // Before, so that nothing but the closing itself comes between the last look at waiting connections and it.
      connections.endQuietOnes();
      await takeWaitingConnections(server);
      const closed = new Promise((resolve) => server.close(resolve));
      const silent = setTimeout(
        () => void connections.destroySilentOnes(),
        Math.min(SILENT_CONNECTION_MS, graceMs),
      );
      let cutOff = 0;
      const impatient = setTimeout(() => {
        cutOff = connections.countRequests();
        server.closeAllConnections();
      }, graceMs);
      await closed;
      clearTimeout(silent);
      clearTimeout(impatient);
      return cutOff;
    },
  };
}

/**
 * Lets Node accept the waiting connections, one in each turn of its event loop. Connections that still wait when a server
 * closes are reset. Their callers can't find out if the request was read.
 */
async function takeWaitingConnections(server: Server): Promise<void> {
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  server.on('connection', count);
  for (let turn = 0, quiet = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
    const before = taken;
    await afterPolling();
    quiet = taken === before ? quiet + 1 : 0;
  }
  server.off('connection', count);
}

/** Knows how many requests run on each connection: Node does not count one that was opened and asked for nothing as idle. */
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
      // The answer may be one that was begun before the end was announced, and its connection kept.
      if (isEnding) server.closeIdleConnections();
    });
  });
  return {
    endQuietOnes() {
      isEnding = true;
      server.closeIdleConnections();
    },
    async destroySilentOnes() {
      // A timer of a busy process goes off before what has arrived meanwhile is read.
      await afterPolling();
      await afterPolling();
      for (const [socket, requests] of running) if (requests === 0) socket.destroy();
    },
    countRequests: () => [...running.values()].reduce((sum, requests) => sum + requests, 0),
  };
}
