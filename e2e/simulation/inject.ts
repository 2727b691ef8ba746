import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { PassThrough, Writable } from 'node:stream';

/** Request to an app, without a connection. */
export interface InjectedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export interface InjectedResponse {
  status: number;
  /** The parsed JSON of the body, or its text. */
  body: unknown;
  setCookie: readonly string[];
}

/** Has an app handle a request. `respond` is called once the response is complete. */
export function inject(
  app: RequestListener,
  { method, url, headers, body }: InjectedRequest,
  respond: (response: InjectedResponse) => void,
): void {
  // The type of the parameter is a socket, but any stream serves.
  const request = new IncomingMessage(new PassThrough() as never);
  Object.assign(request, { method, url });
  for (const [name, value] of Object.entries(headers)) request.headers[name.toLowerCase()] = value;
  if (body !== undefined) {
    request.headers['content-length'] = String(Buffer.byteLength(body));
    request.push(body);
  }
  request.push(null);
  const response = new ServerResponse(request);
  const sent: string[] = [];
  const connection = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  response.assignSocket(connection as never);
  const end = response.end.bind(response) as (...parameters: unknown[]) => ServerResponse;
  Object.assign(response, {
    end(...parameters: unknown[]) {
      const [chunk] = parameters;
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) sent.push(Buffer.from(chunk).toString());
      const ended = end(...parameters);
      const cookies = response.getHeader('set-cookie');
      respond({
        status: response.statusCode,
        body: parsed(sent.join('')),
        setCookie: cookies === undefined ? [] : [cookies].flat().map(String),
      });
      return ended;
    },
  });
  app(request, response);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
