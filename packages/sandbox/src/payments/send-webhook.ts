import { request as sendRequest } from 'node:http';
import type { ProviderWebhook } from '@latchkey/server';
import type { Needs } from '../services/services.js';
import { SIMULATED_PROVIDER } from './simulated-payments.js';

/** Path where the service receives the provider's webhooks. */
const PATH = `/payments/${SIMULATED_PROVIDER.name}/webhook`;
/** How long the service may take to respond, in milliseconds. */
const LIMIT_MS = 10_000;

/** Sends one of the simulated provider's webhooks to the sandbox's own server, and returns the status of the response. */
export function sendWebhook(
  { baseUrl, ownAddress }: Needs<'baseUrl' | 'ownAddress'>,
  { headers, body }: ProviderWebhook,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(
      {
        ...ownAddress,
        ...{
          method: 'POST',
          path: PATH,
          agent: false,
          timeout: LIMIT_MS,
        },
        headers: { ...headers, host: new URL(baseUrl).host, 'content-length': body.byteLength },
      },
      (answer) => {
        answer.on('error', reject).resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('The service did not answer in time.')));
    sent.on('error', reject).end(body);
  });
}
