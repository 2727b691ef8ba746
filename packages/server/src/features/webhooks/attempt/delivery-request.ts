import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import {
  networkFailureOf,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  type WebhookHeaders,
} from '@latchkey/contract/constants';
import { nodeHttp, nodeHttps } from '../../../platform/http/node-http.js';
import { checkEndpointUrl, type EndpointPolicy } from '../endpoint/endpoint-address.js';
import {
  type ConnectionOptions,
  type EndpointConnections,
  guardedLookup,
  type HostResolver,
  NOT_PUBLIC,
} from '../endpoint/endpoint-connections.js';

export interface OutgoingDelivery {
  webhookId: string;
  url: string;
  secret: string;
  event: { id: string; type: string };
  /** JSON that is signed and sent, byte for byte. */
  body: string;
}

export interface DeliveryTransport {
  headerNames: WebhookHeaders;
  connections: EndpointConnections;
  resolver: HostResolver;
  policy: EndpointPolicy;
  /** Maximum time from the host lookup to the end of the response headers, in milliseconds. */
  timeoutMs: number;
}

/** A request that was sent to an endpoint, and its response; null if there was none. */
export interface DeliveryRoundTrip extends AttemptResult {
  request: { url: string; headers: Readonly<Record<string, string | number>>; body: string };
  response: { status: number; headers: IncomingHttpHeaders; body: Buffer; bytes: number } | null;
  /** Time until the response status or the failure, in milliseconds. */
  durationMs: number;
}

/** Maximum time that a delivery waits for the body after the status, in milliseconds. Only the status decides. */
const RESPONSE_BODY_WAIT_MS = 1_000;

/** Maximum number of bytes of a response that {@link sendDelivery} returns. */
const KEPT_RESPONSE_BYTES = 8 * 1024;

/** Maximum size of a response body that is read. Reading lets an ordinary endpoint finish its response. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Waits for the response status, and then briefly for the body. Doesn't follow redirects. Never rejects. `undefined` if
 * the signal aborted the request, which the endpoint may have received.
 */
export async function sendDelivery(
  delivery: OutgoingDelivery,
  transport: DeliveryTransport,
  signal: AbortSignal,
): Promise<DeliveryRoundTrip | undefined> {
  const startedAt = performance.now();
  let response: DeliveryRoundTrip['response'] = null;
  const onResponse = (message: IncomingMessage) => {
    response = keepResponse(message);
  };
  let sent = sendRequest(delivery, transport, { signal, onResponse, isKept: true });
  let result = await sent.result;
  if (result === 'stale') {
    const timeoutMs = transport.timeoutMs - (performance.now() - startedAt);
    sent = sendRequest(delivery, { ...transport, timeoutMs }, { signal, onResponse, isKept: false });
    result = await sent.result;
  }
  if (result === undefined || result === 'stale') return undefined;
  const durationMs = Math.round(performance.now() - startedAt);
  await settled(sent.closed);
  const request = { url: delivery.url, headers: sent.headers, body: delivery.body };
  // A copy: the response still receives its body.
  return {
    ...result,
    request,
    response: response && { ...(response as NonNullable<DeliveryRoundTrip['response']>) },
    durationMs,
  };
}

/** Waits until the response has ended, for a second at most. */
function settled(closed: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, RESPONSE_BODY_WAIT_MS).unref();
    void closed.then(() => {
      clearTimeout(limit);
      resolve();
    });
  });
}

/** Reads a short one to its end, which lets the connection close normally, and cuts off a long one. */
function keepResponse(message: IncomingMessage): NonNullable<DeliveryRoundTrip['response']> {
  const { statusCode: status = 0, headers } = message;
  const kept = { status, headers, body: Buffer.alloc(0), bytes: 0 };
  message.on('data', (chunk: Buffer) => {
    kept.bytes += chunk.byteLength;
    const room = KEPT_RESPONSE_BYTES - kept.body.byteLength;
    if (room > 0) kept.body = Buffer.concat([kept.body, chunk.subarray(0, room)]);
    if (kept.bytes > MAX_RESPONSE_BYTES) message.destroy();
  });
  message.on('error', () => undefined);
  return kept;
}

/** Errors of a kept connection that the endpoint closes while the request is on its way. */
const STALE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

type Attempted = AttemptResult | 'stale' | undefined;

interface SendingOptions {
  readonly signal: AbortSignal;
  /** True for a kept connection, false for a new one. */
  readonly isKept: boolean;
  onResponse(response: IncomingMessage): void;
}

/**
 * Sends a request. `result` is `stale` if the endpoint had closed the kept connection: it hasn't responded, and gets the
 * request on a new connection. `closed` resolves when the response has ended or the connection has closed.
 */
function sendRequest(
  delivery: OutgoingDelivery,
  { headerNames, connections, resolver, policy, timeoutMs }: DeliveryTransport,
  { signal, onResponse, isKept }: SendingOptions,
) {
  const body = Buffer.from(delivery.body);
  const headers = deliveryHeaders(delivery.event, { body, secret: delivery.secret, names: headerNames });
  // Checked again: an IP address in the URL is never looked up, and the stored URL may be older than the current rules.
  const checked = checkEndpointUrl(delivery.url, policy);
  if (checked.kind === 'invalid') {
    const result = Promise.resolve<Attempted>(resultOfError(errorOf(NOT_PUBLIC)));
    return { headers, result, closed: Promise.resolve() };
  }
  const url = new URL(checked.url);
  const { request: send } = url.protocol === 'https:' ? nodeHttps() : nodeHttp;
  const options: ConnectionOptions = {
    ...{ method: 'POST', headers, signal, webhookId: delivery.webhookId },
    agent: connections.agentFor(url.protocol, isKept),
    lookup: guardedLookup(resolver, policy),
  };
  const request = send(url, options);
  const closed = new Promise<void>((resolve) => request.once('close', () => resolve()));
  const result = new Promise<Attempted>((resolve) => {
    const timer = setTimeout(() => request.destroy(errorOf(TIMED_OUT)), timeoutMs);
    let hasResponse = false;
    request.on('response', (response) => {
      hasResponse = true;
      resolve(resultOfStatus(response.statusCode ?? 0));
      onResponse(response);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) resolve(undefined);
      else if (request.reusedSocket && STALE.has(error.code ?? '')) resolve('stale');
      else resolve(resultOfError(error));
    });
    request.on('close', () => {
      clearTimeout(timer);
      // A response that switches protocols emits only `close`.
      if (!hasResponse) resolve(resultOfError(errorOf('ECONNRESET')));
    });
    request.end(body);
  });
  return { headers, result, closed };
}

function errorOf(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

export interface AttemptResult {
  /** Null if there was no response. */
  statusCode: number | null;
  /** A sentence for the endpoint's owner that says why the attempt failed; null if it succeeded. */
  failure: string | null;
}

const TIMED_OUT = 'ERESPONSETIMEOUT';

/** Returns the result of a response. Only a 2xx status counts as received (spec, "Events", 5). */
function resultOfStatus(statusCode: number): AttemptResult {
  if (statusCode >= 200 && statusCode < 300) return { statusCode, failure: null };
  const failure =
    statusCode >= 300 && statusCode < 400
      ? `Responded with status ${statusCode}. Redirects are not followed; register the target URL instead.`
      : `Responded with status ${statusCode}; only 2xx counts as received.`;
  return { statusCode, failure };
}

/** Reveals nothing about non-public addresses, not even whether they exist. */
function resultOfError(error: NodeJS.ErrnoException): AttemptResult {
  const failures: Readonly<Record<string, string>> = {
    [TIMED_OUT]: `No response within ${WEBHOOK_RESPONSE_TIMEOUT_SECONDS} seconds.`,
    [NOT_PUBLIC]: 'The host does not lead to a public address.',
  };
  return { statusCode: null, failure: failures[error.code ?? ''] ?? networkFailureOf(error).sentence };
}

/** HMAC-SHA256 in lower-case hex. The key is the secret's 64 characters: its hex isn't decoded (spec, "Events", 4). */
export function signBody(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Returns the headers of a delivery (spec, "Events", 3). */
export function deliveryHeaders(
  event: { id: string; type: string },
  { body, secret, names }: { body: Buffer; secret: string; names: WebhookHeaders },
): Record<string, string | number> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': body.byteLength,
    'User-Agent': 'Latchkey-Webhooks/1',
    [names.signature]: signBody(body, secret),
    [names.eventType]: event.type,
    [names.eventId]: event.id,
  };
}
