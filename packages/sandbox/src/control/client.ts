import { answerForm } from '@latchkey/contract/constants';
import type { Operator } from '@latchkey/server';
import type * as z from 'zod';
import type { ControlWork } from './control-routes.js';
import { CONTROL_HEADER } from './routes/control-header.js';
import type { CONTROL_ROUTES, DATA_ROUTES, ParamsOf } from './routes/routes.js';

type RecordKind = Parameters<Operator['list']>[0];
type Page = Awaited<ReturnType<Operator['list']>>;

/** Responses of the endpoints that exist for each kind of record. */
interface DataAnswers {
  'GET /data/{kind}': Omit<Page, 'records'> & { readonly [_ in RecordKind]?: Page['records'] };
  'GET /data/{kind}/{id}': Awaited<ReturnType<Operator['find']>>;
  'POST /data/{kind}': Awaited<ReturnType<Operator['create']>>;
  'PATCH /data/{kind}/{id}': Readonly<Record<string, unknown>>;
  'DELETE /data/{kind}/{id}': undefined;
}

type Statements = typeof CONTROL_ROUTES & typeof DATA_ROUTES;

/** A call to the control API: `GET /requests/{id}`. */
export type ControlCallName = keyof Statements;

/** Input of a call: the parameters of its path, and the fields of its query or body. */
export type ControlInput<Name extends ControlCallName> = ParamsOf<Name> &
  (Statements[Name] extends { readonly query: infer Query extends z.ZodType } ? z.input<Query> : unknown) &
  (Statements[Name] extends { readonly body: infer Body extends z.ZodType } ? z.input<Body> : unknown);

/** Response body of a call. */
export type ControlAnswer<Name extends ControlCallName> = Name extends keyof ControlWork
  ? Awaited<ReturnType<ControlWork[Name]>>
  : Name extends keyof DataAnswers
    ? DataAnswers[Name]
    : never;

/** A failed call to the control API. */
export class ControlError extends Error {
  /**
   * The sandbox's code, such as `not_found`; `unreachable` if there was no response, `not_a_sandbox` if another program
   * responded.
   */
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Messages by field of the request. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    message: string,
    details: { code: string; status?: number; fields?: Readonly<Record<string, string>>; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.name = 'ControlError';
    this.code = details.code;
    this.status = details.status ?? 0;
    this.fields = details.fields ?? {};
  }
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Something that happened in the sandbox. */
export interface StreamedEvent {
  /** Number of the event; empty for `connected`. */
  readonly id: string;
  /** Type of the sandbox's event: `request`, `delivery`, `mail`, `clock`, `reset` and others. Or `connected`, once. */
  readonly type: string;
  readonly data: unknown;
}

/** Calls the control API of one sandbox, with this version's types. Each call throws a {@link ControlError}. */
export class ControlClient {
  readonly #origin: string;
  readonly #token: () => string;

  /** @param origin the sandbox's origin; empty for the page's. */
  constructor({ origin = '', token }: { origin?: string; token: string | (() => string) }) {
    this.#origin = origin;
    this.#token = typeof token === 'string' ? () => token : token;
  }

  /**
   * Calls an endpoint: `call('POST /deliveries/{id}/resend', { id, as: 'duplicate' })`.
   *
   * @param input parameters of the path, and the fields of the query or the body. A query leaves out empty values.
   */
  async call<Name extends ControlCallName>(
    name: Name,
    ...[input, options]: object extends ControlInput<Name>
      ? [input?: ControlInput<Name>, options?: CallOptions]
      : [input: ControlInput<Name>, options?: CallOptions]
  ): Promise<ControlAnswer<Name>> {
    const response = await this.send(name, input as object, options);
    if (response.status === 204) return undefined as ControlAnswer<Name>;
    return (await answerOf(response)) as ControlAnswer<Name>;
  }

  /** Sends a call, and returns the response once it begins. `GET /stream` never ends. */
  async send(name: string, input: object = {}, { signal, headers }: CallOptions = {}): Promise<Response> {
    const [method = '', template = ''] = name.split(' ');
    const { path, rest } = pathOf(template, input);
    const url = `${this.#origin}/sandbox/api${path}${method === 'GET' ? searchOf(rest) : ''}`;
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: { ...headers, Authorization: `Bearer ${this.#token()}`, 'Content-Type': 'application/json' },
        // A redirect's target must not receive the token.
        redirect: 'manual',
        signal: signal ?? null,
        body: method === 'GET' ? null : JSON.stringify(rest),
      });
    } catch (error) {
      throw unreachable(error, signal);
    }
    if (response.ok && response.headers.has(CONTROL_HEADER)) return response;
    throw await failureOf(response);
  }

  /**
   * Yields `connected`, then the sandbox's events as they happen. Ends when the connection ends or the signal aborts;
   * the caller connects again.
   *
   * @param after id of the last event of an earlier stream, which is continued.
   */
  async *stream(signal: AbortSignal, after = ''): AsyncGenerator<StreamedEvent> {
    const headers = after === '' ? {} : { 'Last-Event-ID': after };
    const { body } = await this.send('GET /stream', {}, { headers, signal });
    yield { id: '', type: 'connected', data: null };
    try {
      yield* eventsOf(body as NonNullable<typeof body>);
    } catch {
      // The connection broke, or the signal aborted.
    }
  }
}

/** Reads server-sent events, as the sandbox writes them: one line for each field, and comments in between. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const reader = body.pipeThrough(decoder).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = `${text}${value}`.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id = '', type = '', data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/m.exec(block) ?? [];
      if (data !== undefined) yield { id, type, data: JSON.parse(data) };
    }
  }
}

/** Puts the parameters into a path. Returns the path and the rest of the input. */
function pathOf(template: string, input: object): { path: string; rest: object } {
  const rest: Record<string, unknown> = { ...input };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}

function searchOf(query: object): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? '' : `?${search}`;
}

async function answerOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw unreachable(error);
  }
}

/** Returns the error itself if the caller aborted the call. */
function unreachable(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return error;
  const message = 'The sandbox does not answer. Start it again, then try once more.';
  return new ControlError(message, { code: 'unreachable', cause: error });
}

async function failureOf(response: Response): Promise<ControlError> {
  const { status } = response;
  if (response.headers.has(CONTROL_HEADER)) {
    const { error } = (await answerOf(response)) as {
      error: Pick<ControlError, 'code' | 'message' | 'fields'>;
    };
    return new ControlError(error.message, { code: error.code, fields: error.fields, status });
  }
  const form = answerForm(status, response.headers);
  const message = `This is no control API of a sandbox: it answered with status ${status}, ${form}.`;
  return new ControlError(message, { code: 'not_a_sandbox', status });
}
