import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, LatchkeyClient } from '../src/index.js';
import { START } from './service.js';

/** A request as it came. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a broken service does with one request. */
export type Misbehaviour = (response: ServerResponse, socket: Socket) => void;

/** What the real service cannot be made to do, on a free port. */
export interface BrokenService {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** How long each wait before a repetition was asked to be, in milliseconds. Nothing really waits. */
  readonly waits: number[];
  client(options?: Partial<ClientOptions>): LatchkeyClient;
}

export const API_KEY = `svc_${'k'.repeat(43)}`;

/** Does with each request what the list says; with those after its end what its last entry says. */
export async function breakService(...misbehaviours: Misbehaviour[]): Promise<BrokenService> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    misbehaviours[Math.min(seen.length, misbehaviours.length) - 1]?.(response, request.socket);
  });
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  return {
    url,
    seen,
    waits,
    client: (options) =>
      new LatchkeyClient({
        serviceUrl: url,
        apiKey: API_KEY,
        clock: { now: () => START },
        sleep: async (ms) => void waits.push(ms),
        random: () => 0.5,
        ...options,
      }),
  };
}

/** Answers with a status and a body: text as it is, anything else as json. */
export function answering(
  status: number,
  body: unknown = '',
  headers: Record<string, string> = {},
): Misbehaviour {
  return (response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Takes the request and never says a word. */
export const hanging: Misbehaviour = () => {};

/** Tears the connection down. */
export const resetting: Misbehaviour = (_response, socket) => void socket.resetAndDestroy();

/** Begins an answer, and tears the connection down in the middle of it. */
export const breakingOff: Misbehaviour = (response, socket) => {
  response.writeHead(200, { 'content-length': '500' });
  response.write('{"success":true,', () => socket.destroy());
};

/** An address where nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
}
