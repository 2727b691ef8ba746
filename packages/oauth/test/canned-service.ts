import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { OAuthService } from '../src/index.js';

export const CLIENT_ID = 'oac_a1b2c3d4e5f60718293a4b5c';
export const CLIENT_SECRET = 'ocs_000102030405060708090a0b0c0d0e0f1011121314151617';

/** The token pair as the spec prints it. */
export const TOKEN_PAIR = {
  access_token: 'access-token-value',
  refresh_token: 'refresh-token-value',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'memberships.read products.read',
};

export interface CannedAnswer {
  status: number;
  /** Sent as JSON, or as it is when it is text. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface SeenRequest {
  method: string;
  /** Path with query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface CannedService {
  baseUrl: string;
  /** What arrived, in order. */
  requests: SeenRequest[];
  /** Options of a public client at this service. */
  asPublic: OAuthService;
  /** Options of a confidential client at this service. */
  asConfidential: OAuthService;
}

/** A real HTTP server on a free port that gives every request the same answer; `undefined` leaves them waiting. */
export async function cannedService(answer: CannedAnswer | undefined): Promise<CannedService> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body });
    if (!answer) return;
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asPublic = { serviceUrl: baseUrl, clientId: CLIENT_ID };
  return { baseUrl, requests, asPublic, asConfidential: { ...asPublic, clientSecret: CLIENT_SECRET } };
}

/** The one request that arrived, with its form read. */
export function onlyRequest(service: CannedService): SeenRequest & { form: Record<string, string> } {
  const [request, ...others] = service.requests;
  if (!request || others.length > 0) throw new Error(`${service.requests.length} requests arrived, not one.`);
  return { ...request, form: Object.fromEntries(new URLSearchParams(request.body)) };
}
