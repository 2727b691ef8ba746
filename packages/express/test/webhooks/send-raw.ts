import { request as httpRequest } from 'node:http';

/** Sends a raw HTTP request with any headers and the body in chunks. Returns the status. */
export function sendRaw(
  url: string,
  headers: Record<string, string | string[] | undefined>,
  chunks: Iterable<string | Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
    const request = httpRequest(url, {
      method: 'POST',
      headers: Object.fromEntries(sent) as Record<string, string>,
    });
    let hasResponse = false;
    request.on('response', (response) => {
      hasResponse = true;
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', (error) => (hasResponse ? undefined : reject(error)));
    const iterator = chunks[Symbol.iterator]();
    const next = () => {
      if (hasResponse || request.destroyed) return void request.destroy();
      const { done, value } = iterator.next();
      if (done === true) request.end();
      else request.write(value, next);
    };
    next();
  });
}
