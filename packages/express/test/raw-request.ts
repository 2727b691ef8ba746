import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a GET request with exactly these headers, to a path that is not normalized. */
export function getRaw(url: string, path: string, headers: Record<string, string>): Promise<RawResponse> {
  return new Promise((done, failed) => {
    const { port } = new URL(url);
    httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    })
      .on('error', failed)
      .end();
  });
}
