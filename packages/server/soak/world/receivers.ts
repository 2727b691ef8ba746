import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookEntry } from '../log/log-entries.ts';
import type { Random } from '../log/random.ts';

/** Endpoint that receives the webhooks of the soak. */
export interface Receiver {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  /** From now on, the endpoint accepts every delivery at once. */
  heal(): void;
  close(): Promise<void>;
}

/** Behaviour of an endpoint: the probabilities of its failures. The rest is accepted at once. */
export interface ReceiverFaults {
  /** Answers 500. */
  fails: number;
  /** Drops the connection. */
  drops: number;
  /** Answers after up to a second. */
  isSlow: number;
  /** Never answers, so that the delivery meets its time limit of ten seconds. */
  hangs: number;
}

/** Number of deliveries that every endpoint accepts first. The service pauses an endpoint that has never answered. */
const ACCEPTED_FIRST = 3;

/** Starts an endpoint that logs each delivery with its own response. */
export async function startReceiver(
  { name, faults, random }: { name: string; faults: ReceiverFaults; random: Random },
  append: (entry: WebhookEntry) => void,
): Promise<Receiver> {
  const secret = randomBytes(32).toString('hex');
  let isHealed = false;
  let count = 0;
  const answer = async (response: ServerResponse): Promise<number | null> => {
    count += 1;
    const draw = isHealed || count <= ACCEPTED_FIRST ? 1 : random.next();
    const { fails, drops, isSlow, hangs } = faults;
    if (draw < hangs) {
      response.once('error', () => undefined);
      return null;
    }
    if (draw < hangs + drops) {
      response.destroy();
      return null;
    }
    if (draw < hangs + drops + isSlow) await pause(random.between(50, 1000));
    const status = draw < hangs + drops + isSlow || draw >= hangs + drops + isSlow + fails ? 204 : 500;
    response.writeHead(status).end();
    return status;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The sender ended in the middle of the delivery, so nothing was received.
      return;
    }
    const body = Buffer.concat(chunks);
    const { headers } = request;
    const entry = {
      kind: 'webhook' as const,
      receiver: name,
      at: Date.now(),
      eventId: String(headers['x-svc-event-id']),
      eventType: String(headers['x-svc-event-type']),
      isSigned: headers['x-svc-signature'] === createHmac('sha256', secret).update(body).digest('hex'),
      body: body.toString(),
    };
    append({ ...entry, answered: await answer(response) });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    name,
    secret,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    heal() {
      isHealed = true;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
