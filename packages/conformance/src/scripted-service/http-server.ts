import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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

export async function startFakeService(options: FakeServiceOptions = {}): Promise<RunningFakeService> {
  const service = createFakeService(options);
  const server = createServer(async (incoming, response) => {
    await send(await service.handle(await readRequest(incoming)), response);
  });
  const url = await listen(server);
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

/** Returns an address of this machine at which nothing listens. */
export async function unusedAddress(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await new Promise((closed) => server.close(closed));
  return url;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Reads a request of Node's HTTP server. */
export async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
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
  // The reader may leave in the middle, which is its own decision and no error of the service.
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
