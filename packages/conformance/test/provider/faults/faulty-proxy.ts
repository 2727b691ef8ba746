import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ProxiedRequest, Reply } from './fault.js';

/** A web server that answers each request with a handler. */
export interface FaultyProxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'host',
  'content-encoding',
];

/** Starts a proxy on a free port. */
export async function startProxy(handle: (request: ProxiedRequest) => Promise<Reply>): Promise<FaultyProxy> {
  const server = createServer(async (incoming, outgoing) => {
    const { status, headers, body } = await handle(await requestOf(incoming)).catch((error: unknown) => ({
      status: 599,
      headers: {},
      body: String(error),
    }));
    outgoing.writeHead(status, withoutHopByHop(headers)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a request to another server. `node:http` sends each header as it is, also a Host header. */
export async function forwardTo(
  origin: string,
  { method, path, headers, body }: ProxiedRequest,
): Promise<Reply> {
  return await new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${origin}${path}`,
      { method, headers: withoutHopByHop(headers) },
      async (response) => {
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received as Reply['headers'], body: await text(response) });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function requestOf(incoming: IncomingMessage): Promise<ProxiedRequest> {
  const { method = 'GET', url = '/', headers } = incoming;
  return { method, path: url, headers: headers as Record<string, string>, body: await text(incoming) };
}

function withoutHopByHop<Value>(headers: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}
