/** Query parameters of a call. Parameters without a value are left out. */
export type ControlQuery = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Failed call of the control API. */
export class ControlApiError extends Error {
  /** Code of the sandbox, such as `not_found`; `unreachable` if it did not answer. */
  readonly code: string;
  /** Messages by field of the request. */
  readonly fields: Readonly<Record<string, string>>;
  /** HTTP status; 0 without an answer. */
  readonly status: number;

  constructor(
    message: string,
    details: { code: string; fields?: Readonly<Record<string, string>>; status: number },
  ) {
    super(message);
    this.name = 'ControlApiError';
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.status = details.status;
  }
}

/** Address of the control API. */
const CONTROL_PATH = '/sandbox/api';

/** Calls of the control API. Each one throws a {@link ControlApiError} if it fails. */
export class ControlApi {
  readonly #token: () => string;

  /** @param token returns the control token for each call. */
  constructor(token: () => string) {
    this.#token = token;
  }

  /** Reads a path below `/sandbox/api`. */
  get<T>(path: string, query: ControlQuery = {}): Promise<T> {
    return this.#call<T>('GET', `${path}${searchOf(query)}`);
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.#call<T>('POST', path, body);
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#call<T>('PATCH', path, body);
  }

  async delete(path: string): Promise<void> {
    await this.#call('DELETE', path, {});
  }

  /** Opens a response that does not end, such as the stream of events. */
  async open(
    path: string,
    init: { headers?: Record<string, string>; signal: AbortSignal },
  ): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${this.#token()}` };
    const response = await send(path, { headers, signal: init.signal });
    if (!response.ok) throw await failureOf(response);
    return response;
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = {
      Authorization: `Bearer ${this.#token()}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await send(path, { method, headers, ...content });
    if (!response.ok) throw await failureOf(response);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${CONTROL_PATH}${path}`, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ControlApiError('The sandbox does not answer. Start it again, then try once more.', {
      code: 'unreachable',
      status: 0,
    });
  }
}

async function failureOf(response: Response): Promise<ControlApiError> {
  const { status } = response;
  try {
    const { error } = await response.json();
    return new ControlApiError(String(error.message), {
      code: String(error.code),
      fields: error.fields,
      status,
    });
  } catch {
    return new ControlApiError(`The sandbox answered with status ${status}.`, {
      code: 'internal_error',
      status,
    });
  }
}

function searchOf(query: ControlQuery): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? '' : `?${search}`;
}
