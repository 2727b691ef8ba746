/** One HTTP request as plain data, whether it came from a socket or from a call of `fetch`. */
export interface FakeRequest {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The fields of the body, which is a form or a JSON object. */
  readonly form: URLSearchParams;
}

/** A request that the service received, with the times at which it arrived and was answered. */
export interface RecordedRequest extends FakeRequest {
  readonly receivedAt: number;
  /** Undefined while the request has no answer. */
  answeredAt: number | undefined;
}

export function fakeRequest(request: {
  method: string;
  /** The path with the query, or an absolute URL. */
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}): FakeRequest {
  const { pathname, search, searchParams } = new URL(request.url, 'http://service');
  const { method, headers, body } = request;
  const form = formFields(body, headers['content-type'] ?? '');
  return { method, url: pathname + search, path: pathname, query: searchParams, headers, body, form };
}

function formFields(body: string, contentType: string): URLSearchParams {
  if (!contentType.startsWith('application/json')) return new URLSearchParams(body);
  try {
    const fields = Object.entries(JSON.parse(body) ?? {});
    return new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  } catch {
    return new URLSearchParams();
  }
}
