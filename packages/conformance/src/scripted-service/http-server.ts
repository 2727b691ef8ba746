import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createFakeService, type FakeService, type FakeServiceOptions } from './fake-service.js';
import { type FakeRequest, fakeRequest } from './request.js';
import type { Outcome } from './script.js';

/** A fake service that listens on a free port of the loopback address. */
export interface RunningFakeService extends FakeService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startFakeService(
  options: FakeServiceOptions & ListenOptions = {},
): Promise<RunningFakeService> {
  const service = createFakeService(options);
  const lostAnswers = new LostAnswers();
  const server = createServer(async (incoming, response) => {
    lostAnswers.requestArrived(incoming.socket);
    const request = await readRequest(incoming).catch(() => undefined);
    // The client closed the connection before its request was complete.
    if (request === undefined) return void response.destroy();
    const outcome = await service.handle(request);
    if (outcome.kind === 'response') {
      lostAnswers.follow(response, () => {
        request.isLost = true;
      });
    }
    await send(outcome, response);
  });
  const url = await listen(server, options);
  service.baseUrl = url;
  const close = () => {
    service.stop();
    return new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  };
  return Object.assign(service, { url, close });
}

/** Returns a URL on this machine where nothing listens. */
export async function unusedAddress(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await new Promise((closed) => server.close(closed));
  return url;
}

/** Where a service listens. */
export interface ListenOptions {
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** @default 0, which selects a free port */
  readonly port?: number | undefined;
}

async function listen(server: Server, { host = '127.0.0.1', port = 0 }: ListenOptions = {}): Promise<string> {
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  });
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

const BODY_MAX_BYTES = 1_000_000;

/** Reads a request of Node.js's HTTP server. Cuts a body after a megabyte. */
export async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  const body = Buffer.concat(chunks).toString('utf8');
  const { method = 'GET', url = '/' } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return fakeRequest({ method, url, headers: Object.fromEntries(headers), body });
}

async function send(outcome: Outcome, response: ServerResponse): Promise<void> {
  if (outcome.kind === 'hang') return;
  if (outcome.kind === 'reset') return void response.socket?.resetAndDestroy();
  if (outcome.kind === 'truncated') return await sendHalf(outcome.response, response);
  const { status, headers, body } = outcome.response;
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) return void response.end();
  // The reader may leave in the middle, which isn't an error of the service.
  await pipeline(Readable.fromWeb(body as never), response).catch(() => {});
}

async function sendHalf(complete: Response, response: ServerResponse): Promise<void> {
  const text = await complete.text();
  response.writeHead(complete.status, {
    ...Object.fromEntries(complete.headers),
    'content-length': Math.max(text.length, 2),
  });
  response.write(text.slice(0, text.length / 2) || ' ', () => response.socket?.destroy());
}

/** Finds responses that clients didn't read. */
export class LostAnswers {
  readonly #listeners = new WeakMap<Socket, (isReset: boolean) => void>();

  /**
   * Calls `lost` if the client closes the connection without having read the response: before the service wrote all of
   * it, or with a reset. Operating systems send a reset only if a program closes a connection with unread data.
   */
  follow(response: ServerResponse, lost: () => void): void {
    const { socket } = response;
    if (socket === null || socket.destroyed) {
      lost();
      return;
    }
    const closed = (isReset: boolean) => {
      if (isReset || !response.writableFinished) lost();
    };
    this.#listeners.set(socket, closed);
    socket.once('close', closed);
  }

  /** Stops following the connection's earlier response: a client that sends another request has read it. */
  requestArrived(socket: Socket): void {
    const closed = this.#listeners.get(socket);
    if (closed !== undefined) socket.off('close', closed);
  }
}
