import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that arrived at an endpoint. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Bytes of the body. */
  body: Buffer;
}

/** Integrator's endpoint that listens on a free port of this machine. */
export interface WebhookReceiver {
  readonly url: string;
  /** All received requests, oldest first. */
  readonly received: readonly Received[];
  /**
   * Sets the response to all further requests.
   * @default 204
   */
  answer(how: (response: ServerResponse, request: Received) => void): void;
  /** Waits until this number of requests has arrived in total. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let waiting: { count: number; done: () => void }[] = [];
  let answer = (response: ServerResponse, _request: Received): void => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers } = request;
    const arrived = { method, path, headers, body: Buffer.concat(chunks) };
    received.push(arrived);
    for (const { count, done } of waiting) if (received.length >= count) done();
    waiting = waiting.filter(({ count }) => received.length < count);
    answer(response, arrived);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    answer: (how) => {
      answer = how;
    },
    arrived: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((done) => {
            waiting.push({ count, done });
          }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Ids of the received events, oldest first. */
export function idsOf({ received }: Pick<WebhookReceiver, 'received'>): (string | undefined)[] {
  return received.map(({ headers }) => headers['x-svc-event-id']?.toString());
}

/** Signature that a receiver computes to verify a delivery. */
export function hmacOf({ body }: Pick<Received, 'body'>, key: string | Buffer): string {
  return createHmac('sha256', key).update(body).digest('hex');
}
