import { type RequestOptions, request } from 'node:http';

/** Sends a request over a connection of its own, and returns the status of the response. */
export function sendRequest(options: RequestOptions, body: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false }, (response) => {
      response.on('error', reject).resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('timeout', () => sent.destroy(new Error('The service did not answer in time.')));
    sent.on('error', reject).end(body);
  });
}
