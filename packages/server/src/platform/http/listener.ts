import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as afterPolling } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { nodeHttp } from './node-http.js';

/** `continue` has a whole authorization request, with a `state` of 1024 characters, each encoded in up to 15 bytes. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longer than in common proxies (nginx: 60 s), which then close first and don't use a connection that is closing. */
const KEEP_ALIVE_MS = 65_000;
/** Maximum time for a request to arrive, in milliseconds. The largest body has 100 kB. */
const REQUEST_TIMEOUT_MS = 30_000;
/** After this many consecutive quiet turns of the event loop, nothing is waiting to be read. */
const QUIET_TURNS = 2;
/** What arrives in a turn is read in the next one, so anything that arrives in a long turn would be reset. */
const QUIET_TURN_MS = 0.2;
/** How long to wait for quiet turns, in milliseconds. Otherwise constant new connections could delay the close forever. */
const MAX_WAIT_MS = 1_000;
/** How long after the server starts to close, connections without a request are closed, in milliseconds. */
const SILENT_CONNECTION_MS = 500;

/** Where a server listens: a host name and a port (0 chooses a free one), or the descriptor of a listening socket. */
export type ListenTarget = { readonly port: number; readonly hostname: string } | { readonly fd: number };

/** @throws Node.js's error, such as `EADDRINUSE`, or an error if a descriptor isn't a TCP socket. */
export async function listen(target: ListenTarget, logger: Logger) {
  const server = nodeHttp.createServer({
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
    server.listen('fd' in target ? target : { port: target.port, host: target.hostname }, () => {
      server.off('error', reject);
      // If a connection can't be accepted, for example when the system is out of buffers or file descriptors, the
      // server emits `error`, which would end the process if nobody listened.
      server.on('error', ({ message: reason }) => logger.error({ reason }, 'HTTP server error'));
      resolve();
    });
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string' || bound.port === undefined) {
    server.close();
    throw new Error(`File descriptor ${'fd' in target ? target.fd : ''} is not a TCP socket.`);
  }
  return {
    address: bound.address,
    port: bound.port,
    get isServing() {
      return connections.countRequests() > 0;
    },
    onRequest: (listener: RequestListener) => void server.on('request', listener),
    /** Makes every later response close its connection, so the caller connects to another process. */
    announceEnd() {
      isEnding = true;
    },
    /** Waits for running requests, for up to `graceMs` milliseconds. Returns how many took longer and were aborted. */
    async close(graceMs: number) {
      isEnding = true;
      // Idle connections end first, so the second turn has only the listening socket to close.
      await inQuietTurn(server, () => connections.endIdle());
      const closed = new Promise<void>((resolve) => server.once('close', resolve));
      await inQuietTurn(server, () => server.close());
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

/** An HTTP server that listens on a port. */
export type Listener = Awaited<ReturnType<typeof listen>>;

/**
 * Runs a function that closes connections, in a short turn of the event loop in which nothing arrived. Node.js accepts
 * one connection in each turn and reads what has arrived on the others. What still waits at the close is reset, and its
 * callers can't find out whether their request was read.
 */
async function inQuietTurn(server: Server, close: () => void): Promise<void> {
  let hasAccepted = false;
  const notice = () => {
    hasAccepted = true;
  };
  server.on('connection', notice);
  const deadline = performance.now() + MAX_WAIT_MS;
  await new Promise<void>((resolve) => {
    const turn = (start: number, quietTurns: number) => {
      hasAccepted = false;
      setImmediate(() => {
        const end = performance.now();
        const quiet = hasAccepted || end - start > QUIET_TURN_MS ? 0 : quietTurns + 1;
        if (quiet < QUIET_TURNS && end < deadline) return turn(end, quiet);
        close();
        resolve();
      });
    };
    turn(performance.now(), 0);
  });
  server.off('connection', notice);
}

/** Node.js doesn't treat a connection as idle before its first request: `closeIdleConnections` would leave it open. */
function trackConnections(server: Server) {
  const running = new Map<Socket, number>();
  let total = 0;
  let isEnding = false;
  server.on('connection', (socket) => {
    running.set(socket, 0);
    socket.once('close', () => {
      // Its responses emit `close` after this or never, so they aren't counted any more.
      total -= running.get(socket) ?? 0;
      running.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    running.set(socket, (running.get(socket) ?? 0) + 1);
    total += 1;
    response.once('close', () => {
      const requests = running.get(socket);
      if (requests !== undefined) {
        running.set(socket, requests - 1);
        total -= 1;
      }
      // A response that started before the end was announced keeps its connection open.
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
    countRequests: () => total,
  };
}
