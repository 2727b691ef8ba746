import { type EndpointName, jsonOf, pathsOf, type ServiceNames } from '@latchkey/contract/constants';

/** An HTTP request as plain data, whether it came from a socket or from `fetch`. */
export interface FakeRequest {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The fields of a JSON or form body. Empty for another body. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same fields as strings. */
  readonly form: URLSearchParams;
  /**
   * True if the client closed the connection without having read the response. False if it has read the response, or
   * while that is unknown: a client can also drop a response after reading it.
   */
  isLost: boolean;
}

/** A request that the service received, with the times when it arrived and was answered. */
export interface RecordedRequest extends FakeRequest, Route {
  readonly receivedAt: number;
  /** Undefined while the request has no response. */
  answeredAt: number | undefined;
}

export function fakeRequest(request: {
  method: string;
  /** The path with the query, or an absolute URL. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}): FakeRequest {
  const { pathname, search, searchParams } = new URL(request.url, 'http://service');
  const { method, headers, body } = request;
  const contentType = headers['content-type'] ?? '';
  const isJson = contentType.startsWith('application/json');
  const fields = contentType.includes('x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(body))
    : jsonFields(body);
  const form = new URLSearchParams(
    isJson ? Object.entries(fields).map(([name, value]) => [name, String(value)]) : body,
  );
  const url = pathname + search;
  return { method, url, path: pathname, query: searchParams, headers, body, fields, form, isLost: false };
}

function jsonFields(body: string): Record<string, unknown> {
  const value = jsonOf(body);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export interface Route {
  /** Undefined for a path that the API doesn't have. */
  readonly endpoint: EndpointName | undefined;
  /** The decoded parameters of the path, in order. */
  readonly pathParameters: readonly string[];
}

const POST_ENDPOINTS: readonly string[] = ['provisionExternal', 'buyPlan', 'dropSignup', 'token', 'revoke'];

export function createRouter(names: ServiceNames): (request: FakeRequest) => Route {
  const rows = Object.entries(pathsOf(names)).map(([endpoint, path]) => ({
    endpoint: endpoint as EndpointName,
    method: POST_ENDPOINTS.includes(endpoint) ? 'POST' : 'GET',
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  }));
  return ({ method, path }) => {
    for (const row of rows) {
      const match = method === row.method ? row.pattern.exec(path) : null;
      if (match === null) continue;
      return { endpoint: row.endpoint, pathParameters: match.slice(1).map(decoded) };
    }
    return { endpoint: undefined, pathParameters: [] };
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
