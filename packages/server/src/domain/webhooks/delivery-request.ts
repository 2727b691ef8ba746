import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type AttemptOutcome, outcomeOfError, outcomeOfStatus, TIMED_OUT } from './attempt-outcome.js';
import { deliveryHeaders } from './delivery-signature.js';
import type { EndpointPolicy } from './endpoint-address.js';
import { guardedLookup, type HostResolver, NOT_PUBLIC } from './endpoint-lookup.js';
import { checkEndpointUrl } from './endpoint-url.js';

/** One event for one endpoint, as it goes out. */
export interface OutgoingDelivery {
  url: string;
  secret: string;
  event: { id: string; type: string };
  /** The JSON that is signed and sent, byte for byte. */
  body: string;
}

/** How deliveries are sent. */
export interface DeliveryTransport {
  resolver: HostResolver;
  policy: EndpointPolicy;
  /** From the start of the request to the end of the answer's headers, looking up the host included. */
  timeoutMs: number;
}

/** More of an answer is not read, only as much as lets an ordinary endpoint finish what it says. */
const MAX_ANSWER_BYTES = 64 * 1024;

// Of their own, and without keeping connections: the host's addresses are checked for every attempt, and no setting of
// the process (a proxy) gets in between.
const HTTP_AGENT = new HttpAgent();
const HTTPS_AGENT = new HttpsAgent({ maxCachedSessions: 0 });

/**
 * Sends a delivery once and waits for the status of the answer. Redirects are not followed, and the answer's body is
 * thrown away. Never rejects.
 *
 * @returns `undefined` when the signal aborted it: nobody knows whether it arrived.
 */
export function sendDelivery(
  delivery: OutgoingDelivery,
  { resolver, policy, timeoutMs }: DeliveryTransport,
  signal: AbortSignal,
): Promise<AttemptOutcome | undefined> {
  const body = Buffer.from(delivery.body);
  // Checked again, because a literal address is never looked up, and what was stored may be older than the rules.
  const checked = checkEndpointUrl(delivery.url, policy);
  if ('problem' in checked) return Promise.resolve(outcomeOfError(errorOf(NOT_PUBLIC)));
  const url = new URL(checked.url);
  const [send, agent] =
    url.protocol === 'https:' ? ([httpsRequest, HTTPS_AGENT] as const) : ([httpRequest, HTTP_AGENT] as const);
  return new Promise((settle) => {
    const request = send(url, {
      method: 'POST',
      agent,
      lookup: guardedLookup(resolver, policy),
      headers: deliveryHeaders(delivery.event, { body, secret: delivery.secret }),
      signal,
    });
    const timer = setTimeout(() => request.destroy(errorOf(TIMED_OUT)), timeoutMs);
    request.on('response', (response) => {
      settle(outcomeOfStatus(response.statusCode ?? 0));
      discard(response);
    });
    request.on('error', (error) => settle(signal.aborted ? undefined : outcomeOfError(error)));
    request.on('close', () => {
      clearTimeout(timer);
      // An answer that switches protocols is closed without a word; after any other this changes nothing.
      settle(outcomeOfError(errorOf('ECONNRESET')));
    });
    request.end(body);
  });
}

/** Reads on, so that the endpoint is not cut off in the middle of a short answer; a long one is. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
}

function errorOf(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
