import type { DataRecord, RecordKind } from '@latchkey/sandbox';

/** Failed call to a sandbox. The message contains no secret. It may contain text of the sandbox. */
export class ControlFailure extends Error {
  /** Code of the control API, or `unreachable`, `not_a_sandbox` or `wrong_host`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ControlFailure';
    this.code = code;
  }
}

/** True if the sandbox did not answer. A caller that follows events tries again. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ControlFailure && error.code === 'unreachable';
}

/** Milliseconds until an answer must begin. Moving the clock by years takes longest. */
const TIMEOUT_MS = 280_000;
/** Rows per call when all records are read. */
const PAGE_ROWS = 1_000;

/** Query of a call. Undefined values are left out. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Address and token of a sandbox. */
export interface SandboxTarget {
  /** Origin, without a slash at its end. */
  readonly sandbox: string;
  readonly token: string;
}

/**
 * Calls to the control API of one sandbox, by paths below `/sandbox/api`. Each one throws `ControlFailure`. The types
 * describe the sandbox of the same version. `expects` names a field of the answer, to reject other programs.
 */
export class ControlClient {
  readonly target: SandboxTarget;

  constructor({ sandbox, token }: SandboxTarget) {
    this.target = { sandbox, token };
  }

  get<Result>(path: string, expects?: string, query: Query = {}, signal?: AbortSignal): Promise<Result> {
    return this.#call('GET', path, { expects, query, signal });
  }

  post<Result = void>(path: string, body: unknown = {}, expects?: string): Promise<Result> {
    return this.#call('POST', path, { expects, body });
  }

  patch<Result = void>(path: string, body: unknown): Promise<Result> {
    return this.#call('PATCH', path, { body });
  }

  delete(path: string): Promise<void> {
    return this.#call('DELETE', path, { body: {} });
  }

  /** All records of one kind, oldest first. */
  async records<Entry = DataRecord>(kind: RecordKind): Promise<readonly Entry[]> {
    const all: Entry[] = [];
    let after: string | undefined;
    do {
      const page = await this.get<Record<string, readonly Entry[]> & { readonly next?: string | null }>(
        `/data/${kind}`,
        kind,
        { limit: PAGE_ROWS, after },
      );
      all.push(...(page[kind] ?? []));
      after = page.next ?? undefined;
    } while (after !== undefined);
    return all;
  }

  /**
   * Types of the messages of the sandbox's stream as they arrive, after `connected`. Ends when the connection ends or the
   * signal aborts; the caller connects again.
   */
  async *stream(signal: AbortSignal): AsyncGenerator<string> {
    const { body, headers, status } = await this.#send('/stream', {}, { method: 'GET', signal });
    if (body === null || !/^text\/event-stream\b/.test(headers.get('content-type') ?? ''))
      throw this.#notASandbox(status);
    // It loads Node's web streams, which takes 10 ms, so only what follows events loads it.
    const { EventSourceParserStream } = await import('eventsource-parser/stream');
    yield 'connected';
    try {
      const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event } of messages) if (event !== undefined) yield event;
    } catch {
      // The connection broke, or the signal aborted.
    }
  }

  async #call<Result>(
    method: string,
    path: string,
    {
      expects,
      query = {},
      body,
      signal,
    }: { expects?: string | undefined; query?: Query; body?: unknown; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await this.#send(path, query, {
      method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return undefined as Result;
    const answer = parsed(await this.#textOf(response));
    const isExpected =
      expects === undefined || (typeof answer === 'object' && answer !== null && expects in answer);
    if (isExpected) return answer as Result;
    throw this.#notASandbox(response.status);
  }

  async #send(path: string, query: Query, init: RequestInit): Promise<Response> {
    const url = new URL(`${this.target.sandbox}/sandbox/api${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = { Authorization: `Bearer ${this.target.token}`, 'Content-Type': 'application/json' };
    let response: Response;
    try {
      // The target of a redirect must not receive the token.
      response = await fetch(url, { ...init, headers, redirect: 'manual' });
    } catch (error) {
      throw this.#unreachable(error);
    }
    if (response.ok) return response;
    throw this.#failureOf(response.status, parsed(await this.#textOf(response)));
  }

  async #textOf(response: Response): Promise<string> {
    try {
      return await response.text();
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  #failureOf(status: number, answer: unknown): ControlFailure {
    const { sandbox } = this.target;
    if (status === 421) {
      const message = `The service at ${sandbox} answers to another host name only. Use the address that it printed at its start, with --sandbox (or LATCHKEY_SANDBOX_URL).`;
      return new ControlFailure('wrong_host', message);
    }
    const { code, message } = errorOf(answer);
    if (code === undefined || message === undefined) return this.#notASandbox(status);
    if (code === 'unauthorized') {
      return new ControlFailure(
        code,
        `The sandbox at ${sandbox} rejects the token. Set LATCHKEY_SANDBOX_TOKEN to the token that it printed at its start.`,
      );
    }
    return new ControlFailure(code, message);
  }

  #notASandbox(status: number): ControlFailure {
    return new ControlFailure(
      'not_a_sandbox',
      `${this.target.sandbox} is not a sandbox with a control API: it answered with status ${status}. Set the address of a sandbox with --sandbox (or LATCHKEY_SANDBOX_URL).`,
    );
  }

  #unreachable(error: unknown): ControlFailure {
    const { sandbox } = this.target;
    if (error instanceof Error && error.name === 'TimeoutError') {
      return new ControlFailure(
        'sandbox_busy',
        `The sandbox at ${sandbox} has not answered for ${TIMEOUT_MS / 1000} seconds, and may still work on it. After a change of the clock, "latchkey clock" shows its time.`,
        { cause: error },
      );
    }
    const { cause } = error as { cause?: { code?: string } };
    const reason = cause?.code ?? (error instanceof Error ? error.message : String(error));
    return new ControlFailure(
      'unreachable',
      `No sandbox answers at ${sandbox} (${reason}). Start one with "latchkey sandbox", or set its address with --sandbox (or LATCHKEY_SANDBOX_URL).`,
      { cause: error },
    );
  }
}

/** Code and message of `{ "error": { code, message, fields } }`. Only the control API has all three. */
function errorOf(answer: unknown): { code?: string; message?: string } {
  const { error } = (answer ?? {}) as { error?: unknown };
  if (typeof error !== 'object' || error === null || !('fields' in error)) return {};
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
