// A `fetch` for tests that names the host itself, as the proxy in front of a service does. The global one can't.

import { request } from 'node:http';
import { Readable } from 'node:stream';

/** Statuses whose responses have no body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * Sends a request to an address, with the Host header of an origin. Follows no redirect.
 * @param {string} address origin at which the service listens
 * @param {string} origin origin that the request is for
 * @param {string} path path and query
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export async function fetchAsHost(address, origin, path, init = {}) {
  const { signal, ...rest } = init;
  const sent = new Request(`${address}${path}`, rest);
  const body = Buffer.from(await sent.arrayBuffer());
  const headers = { accept: '*/*', ...Object.fromEntries(sent.headers), host: new URL(origin).host };
  if (body.length > 0) headers['content-length'] = String(body.length);
  const url = new URL(address);
  return await new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, path, method: sent.method, headers, signal };
    request(options, (response) => {
      const received = new Headers();
      for (let index = 0; index < response.rawHeaders.length; index += 2) {
        received.append(response.rawHeaders[index], response.rawHeaders[index + 1]);
      }
      const status = response.statusCode ?? 0;
      if (EMPTY.has(status)) response.resume();
      const content = EMPTY.has(status) ? null : Readable.toWeb(response);
      resolve(new Response(content, { status, headers: received }));
    })
      // As the global one does.
      .on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
      .end(body);
  });
}
