import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_SERVICE_NAMES, type ServiceNames } from '@latchkey/contract/constants';
import type { Answer, ServiceExchange, ServiceRequest } from '../record/service-exchange.js';
import { rejection } from './answers.js';
import { apiKeyAnswer, isApiKeyEndpoint, type Orders } from './api-key-answers.js';
import { scriptedApiKey } from './credentials.js';
import { Grants, newVisitor } from './grants.js';
import { LostAnswers } from './lost-answers.js';
import {
  authorizeAnswer,
  clientIdentityAnswer,
  type OAuthContext,
  resourceAnswer,
  revokeAnswer,
  tokenAnswer,
} from './oauth-answers.js';
import { readRequest } from './read-request.js';
import { allowsBrowsers, createRouter } from './route.js';
import { ordinaryScript, type Script } from './script.js';

/** Where the service listens, and the names that it uses. */
export interface ScriptedServiceOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** @default 0, which selects a free port */
  readonly port?: number;
  /** @default the names of the specification */
  readonly names?: ServiceNames;
  /** Answers paths that the API does not have. */
  readonly otherPath?: (request: ServiceRequest) => Answer | undefined;
}

/** A membership service that answers as its script says and records every request. */
export interface ScriptedService {
  readonly url: string;
  readonly names: ServiceNames;
  readonly oauth: OAuthContext;
  readonly exchanges: readonly ServiceExchange[];
  /** Script of the next requests. @default the ordinary script */
  script: Script;
  close(): Promise<void>;
}

/** Starts a scripted service. */
export async function startScriptedService(options: ScriptedServiceOptions = {}): Promise<ScriptedService> {
  const { host = '127.0.0.1', port = 0, names = DEFAULT_SERVICE_NAMES, otherPath } = options;
  const apiKey = scriptedApiKey(names);
  const oauth: OAuthContext = { grants: new Grants(), visitor: newVisitor(), isOriginAllowed: true };
  const orders: Orders = new Map();
  const exchanges: ServiceExchange[] = [];
  const lostAnswers = new LostAnswers();
  const route = createRouter(names);
  const server = createServer(async (incoming, response) => {
    const receivedAt = performance.now();
    lostAnswers.requestArrived(incoming.socket);
    const request = await readRequest(incoming, route).catch(() => undefined);
    // The client closed the connection before its request was complete.
    if (request === undefined) return response.destroy();
    if (request.method === 'OPTIONS') return send(response, PREFLIGHT, true);
    const other = request.endpoint === undefined ? otherPath?.(request) : undefined;
    if (other !== undefined) return send(response, other, false);
    const { script } = service;
    const answer = script.answer(request, () => ordinaryAnswer(request, { oauth, apiKey, orders }));
    const answeredAt = performance.now();
    const exchange = { request, answer, script: script.name, receivedAt, answeredAt, isLost: false };
    exchanges.push(exchange);
    lostAnswers.follow(response, () => {
      exchange.isLost = true;
    });
    send(response, answer, allowsBrowsers(request.endpoint));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  });
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  const service: ScriptedService = { url, names, oauth, exchanges, script: ordinaryScript, close };
  return service;
}

const PREFLIGHT: Answer = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type, traceparent',
  },
  body: '',
};

function ordinaryAnswer(
  request: ServiceRequest,
  { oauth, apiKey, orders }: { oauth: OAuthContext; apiKey: string; orders: Orders },
): Answer {
  if (isApiKeyEndpoint(request.endpoint)) return apiKeyAnswer(request, { apiKey, orders });
  switch (request.endpoint) {
    case 'authorize':
      return authorizeAnswer(request, oauth);
    case 'token':
      return tokenAnswer(request, oauth);
    case 'revoke':
      return revokeAnswer(request, oauth);
    case 'clientIdentity':
      return clientIdentityAnswer(request, oauth);
    case undefined:
      return rejection(404, request);
    default:
      return resourceAnswer(request, oauth);
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer, isForBrowsers: boolean): void {
  const cors = isForBrowsers ? { 'access-control-allow-origin': '*' } : {};
  response.writeHead(status, { 'cache-control': 'no-store', ...cors, ...headers });
  response.end(body);
}
