import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
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

/** Maximum size of a response body that is read. Reading lets an ordinary endpoint finish its response. */
const MAX_RESPONSE_BYTES = 64 * 1024;

// Own agents, without kept connections: each attempt checks the host's addresses, and a proxy setting of the process has
// no effect.
const HTTP_AGENT = new HttpAgent();
const HTTPS_AGENT = new HttpsAgent({ maxCachedSessions: 0 });

/**
 * Sends a delivery once and waits for the response status. Redirects are not followed, and the response body is
 * discarded. Never rejects.
 *
 * @returns `undefined` if the signal aborted the request. The endpoint may or may not have received it.
 */
export function sendDelivery(
  delivery: OutgoingDelivery,
  { headerNames, resolver, policy, timeoutMs }: DeliveryTransport,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const body = Buffer.from(delivery.body);
  // Checked again: an IP address in the URL is never looked up, and the stored URL may be older than the current rules.
  const checked = checkEndpointUrl(delivery.url, policy);
  if (checked.kind === 'invalid') return Promise.resolve(resultOfError(errorOf(NOT_PUBLIC)));
  const url = new URL(checked.url);
  const [send, agent] =
    url.protocol === 'https:' ? ([httpsRequest, HTTPS_AGENT] as const) : ([httpRequest, HTTP_AGENT] as const);
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'POST',
      agent,
      lookup: guardedLookup(resolver, policy),
      headers: deliveryHeaders(delivery.event, { body, secret: delivery.secret, names: headerNames }),
      signal,
    });
    const timer = setTimeout(() => request.destroy(errorOf(TIMED_OUT)), timeoutMs);
    request.on('response', (response) => {
      resolve(resultOfStatus(response.statusCode ?? 0));
      discard(response);
    });
    request.on('error', (error) => resolve(signal.aborted ? undefined : resultOfError(error)));
    request.on('close', () => {
      clearTimeout(timer);
      // A response that switches protocols emits only `close`. After other responses the promise is already resolved.
      resolve(resultOfError(errorOf('ECONNRESET')));
    });
    request.end(body);
  });
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
