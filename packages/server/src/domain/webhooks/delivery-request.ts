import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebhookHeaders } from '@latchkey/contract/constants';
import { type AttemptResult, resultOfError, resultOfStatus, TIMED_OUT } from './attempt-result.js';
import { deliveryHeaders } from './delivery-signature.js';
import type { EndpointPolicy } from './endpoint-address.js';
import { guardedLookup, type HostResolver, NOT_PUBLIC } from './endpoint-lookup.js';
import { checkEndpointUrl } from './endpoint-url.js';

/** Delivery to send. */
export interface OutgoingDelivery {
  url: string;
  secret: string;
  event: { id: string; type: string };
  /** JSON that is signed and sent, byte for byte. */
  body: string;
}

/** Options for sending deliveries. */
export interface DeliveryTransport {
  /** Names of the headers with the signature, the type and the id. */
  headerNames: WebhookHeaders;
  resolver: HostResolver;
  policy: EndpointPolicy;
  /** Maximum time from the host lookup to the end of the response headers, in milliseconds. */
  timeoutMs: number;
}

/** Request that was sent to an endpoint, and its response. */
export interface DeliveryExchange extends AttemptResult {
  request: { url: string; headers: Readonly<Record<string, string | number>>; body: string };
  /**
   * Null if there was no response. `body` contains at most the first {@link KEPT_RESPONSE_BYTES} of the `bytes` bytes that
   * arrived.
   */
  response: { status: number; headers: IncomingHttpHeaders; body: Buffer; bytes: number } | null;
  /** Time until the status of the response or the failure, in milliseconds. */
  durationMs: number;
}

/** Maximum time that a delivery waits for the body after the status, in milliseconds. The status alone decides. */
const RESPONSE_BODY_WAIT_MS = 1_000;

/** Maximum number of bytes of a response that {@link exchangeDelivery} returns. */
const KEPT_RESPONSE_BYTES = 8 * 1024;

/** Maximum size of a response body that is read. Reading lets an ordinary endpoint finish its response. */
const MAX_RESPONSE_BYTES = 64 * 1024;

// Own agents, without kept connections: each attempt checks the host's addresses, and a proxy setting of the process has
// no effect.
const HTTP_AGENT = new HttpAgent();
const HTTPS_AGENT = new HttpsAgent({ maxCachedSessions: 0 });

/**
 * Sends a delivery once. Waits for the response status, and then shortly for the body. Redirects are not followed. Never
 * rejects.
 *
 * @returns `undefined` if the signal aborted the request. The endpoint may or may not have received it.
 */
export async function exchangeDelivery(
  delivery: OutgoingDelivery,
  transport: DeliveryTransport,
  signal: AbortSignal,
): Promise<DeliveryExchange | undefined> {
  const startedAt = performance.now();
  let response: DeliveryExchange['response'] = null;
  const sent = sendRequest(delivery, transport, {
    signal,
    onResponse(message) {
      const { statusCode: status = 0, headers } = message;
      const kept = { status, headers, body: EMPTY, bytes: 0 };
      response = kept;
      message.on('data', (chunk: Buffer) => {
        kept.bytes += chunk.byteLength;
        const room = KEPT_RESPONSE_BYTES - kept.body.byteLength;
        if (room > 0) kept.body = Buffer.concat([kept.body, chunk.subarray(0, room)]);
      });
      discard(message);
    },
  });
  const result = await sent.result;
  if (result === undefined) return undefined;
  const durationMs = Math.round(performance.now() - startedAt);
  await Promise.race([sent.closed, wait(RESPONSE_BODY_WAIT_MS, undefined, { ref: false })]);
  const request = { url: delivery.url, headers: sent.headers, body: delivery.body };
  // The response goes on receiving its body. A copy stays as it is.
  return {
    ...result,
    request,
    response: response && { ...(response as NonNullable<DeliveryExchange['response']>) },
    durationMs,
  };
}

const EMPTY: Buffer = Buffer.alloc(0);

interface SentRequest {
  headers: Readonly<Record<string, string | number>>;
  result: Promise<AttemptResult | undefined>;
  /** Resolves when the response has ended or the connection has closed. */
  closed: Promise<void>;
}

function sendRequest(
  delivery: OutgoingDelivery,
  { headerNames, resolver, policy, timeoutMs }: DeliveryTransport,
  { signal, onResponse }: { signal: AbortSignal; onResponse(response: IncomingMessage): void },
): SentRequest {
  const body = Buffer.from(delivery.body);
  const headers = deliveryHeaders(delivery.event, { body, secret: delivery.secret, names: headerNames });
  // Checked again: an IP address in the URL is never looked up, and the stored URL may be older than the current rules.
  const checked = checkEndpointUrl(delivery.url, policy);
  if (checked.kind === 'invalid') {
    const result = Promise.resolve(resultOfError(errorOf(NOT_PUBLIC)));
    return { headers, result, closed: Promise.resolve() };
  }
  const url = new URL(checked.url);
  const [send, agent] =
    url.protocol === 'https:' ? ([httpsRequest, HTTPS_AGENT] as const) : ([httpRequest, HTTP_AGENT] as const);
  const lookup = guardedLookup(resolver, policy);
  const request = send(url, { method: 'POST', agent, lookup, headers, signal });
  const closed = new Promise<void>((resolve) => request.once('close', () => resolve()));
  const result = new Promise<AttemptResult | undefined>((resolve) => {
    const timer = setTimeout(() => request.destroy(errorOf(TIMED_OUT)), timeoutMs);
    request.on('response', (response) => {
      resolve(resultOfStatus(response.statusCode ?? 0));
      onResponse(response);
    });
    request.on('error', (error) => resolve(signal.aborted ? undefined : resultOfError(error)));
    request.on('close', () => {
      clearTimeout(timer);
      // A response that switches protocols emits only `close`. After other responses the promise is already resolved.
      resolve(resultOfError(errorOf('ECONNRESET')));
    });
    request.end(body);
  });
  return { headers, result, closed };
}

/** Reads a short response to its end, so that the connection closes normally. Cuts off a long one. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
}

function errorOf(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
