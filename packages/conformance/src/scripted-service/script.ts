import { isError } from '@latchkey/contract/constants';
import { type FakeRequest, fakeRequest, type RecordedRequest } from './request.js';

/** A failure that a status and a body can't express. */
export type Fault =
  /** Resets the connection without processing the request. */
  | { kind: 'reset' }
  /** Never responds, and doesn't process the request. */
  | { kind: 'hang' }
  /** Processes the request and responds late. */
  | { kind: 'slow'; delayMs: number }
  /** Processes the request, then resets the connection. */
  | { kind: 'response-lost'; delayMs?: number }
  /** Processes the request, then resets the connection in the middle of the response. */
  | { kind: 'truncated' };

/** A scripted result of one request. An error is what `fetch` rejects with. */
export type Reply = Response | Fault | Error;

/**
 * Returns the reply to a request, or undefined for the endpoint's regular response. `regular` processes the request and
 * resolves to its regular response, for a script that changes it.
 */
export type ReplyFunction = (
  request: RecordedRequest,
  regular: () => Promise<Response>,
) => Reply | undefined | Promise<Reply | undefined>;

const NAMED_SCRIPTS = {
  reset: () => ({ kind: 'reset' }),
  hang: () => ({ kind: 'hang' }),
  truncated: () => ({ kind: 'truncated' }),
  'response-lost': () => ({ kind: 'response-lost' }),
  'server-error': respond(500, { error: 'server_error' }),
  html: respond(200, '<h1>It works!</h1>', { 'content-type': 'text/html' }),
  'insufficient-scope': respond(403, {
    error: 'insufficient_scope',
    error_description: 'The memberships.read scope is required.',
  }),
} satisfies Record<string, () => Reply>;

/** A frequent failure, by name. */
export type FaultName = keyof typeof NAMED_SCRIPTS;

export type Script = FaultName | ReplyFunction;

export type Scripts = ReturnType<typeof createScripts>;

export function createScripts() {
  const byLine = new Map<string, Script>();
  const holds = new Map<string, Promise<void>>();
  let sequence: readonly Script[] = [];
  let sequencePosition = 0;

  return {
    /**
     * Makes a script reply to requests to an endpoint from now on. Undefined restores the regular responses.
     *
     * @param line `METHOD /path`, or a path alone for all methods.
     */
    on(line: string, script: Script | undefined): void {
      if (script === undefined) byLine.delete(line);
      else byLine.set(line, script);
    },
    /** Makes the next of these scripts reply to each request. The last one repeats. */
    replyInOrder(...scripts: readonly Script[]): void {
      sequence = scripts;
      sequencePosition = 0;
    },
    clear(): void {
      byLine.clear();
      sequence = [];
    },
    /**
     * Holds responses back until the returned function is called. The service processes the requests first.
     *
     * @param line `METHOD /path`, or a path alone for all methods.
     */
    hold(line: string): () => void {
      let release = () => {};
      holds.set(line, new Promise<void>((resolve) => (release = resolve)));
      return () => {
        holds.delete(line);
        release();
      };
    },
    /** Resolves when no hold applies to a request. */
    async released({ method, path }: FakeRequest): Promise<void> {
      await (holds.get(`${method} ${path}`) ?? holds.get(path));
    },
    async replyTo(request: RecordedRequest, regular: () => Promise<Response>): Promise<Reply | undefined> {
      const { method, path } = request;
      const next = sequence[Math.min(sequencePosition++, sequence.length - 1)];
      const script = byLine.get(`${method} ${path}`) ?? byLine.get(path) ?? next;
      return await (typeof script === 'string' ? NAMED_SCRIPTS[script]() : script?.(request, regular));
    },
  };
}

const STATUSES_WITHOUT_BODY = [204, 205, 304];

/**
 * Returns a script that responds with a status and a body.
 *
 * @param body strings and bytes are sent as they are, every other value as JSON.
 */
export function respond(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): () => Response {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const content = isRaw ? (body as BodyInit) : JSON.stringify(body);
  return () =>
    new Response(STATUSES_WITHOUT_BODY.includes(status) ? null : content, {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
}

/** Returns a script with a response that begins with this text, then neither continues nor ends. */
export function respondUnfinished(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): () => Response {
  return () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new TextEncoder().encode(text));
    return new Response(new ReadableStream({ start }), {
      headers: { 'content-type': 'application/json', ...headers },
    });
  };
}

/** A response without an end, and how many of its bytes were read before the reader cancelled it. */
export interface EndlessResponses {
  script: () => Response;
  readonly bytesRead: number;
  readonly cancelled: number;
}

const CHUNK_BYTES = 65_536;
/** Ends the body if the reader has no limit: a broken test then fails instead of filling the memory. */
const ENDLESS_MAX_BYTES = 100_000_000;

/** Returns a script with endless responses, and what became of them. */
export function endlessResponses(
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): EndlessResponses {
  const responses = {
    bytesRead: 0,
    cancelled: 0,
    script: () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          responses.bytesRead += CHUNK_BYTES;
          controller.enqueue(new Uint8Array(CHUNK_BYTES).fill(32));
          if (responses.bytesRead > ENDLESS_MAX_BYTES) controller.close();
        },
        cancel() {
          responses.cancelled += 1;
        },
      });
      return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
    },
  };
  return responses;
}

/** The result of one request, before a socket or a `fetch` delivers it. */
export type Outcome =
  | { kind: 'response'; response: Response }
  | { kind: 'truncated'; response: Response }
  | { kind: 'reset'; error: Error }
  | { kind: 'hang' };

/** Applies a scripted reply. `respond` processes the request and resolves to its regular response. */
export async function outcomeOf(
  reply: Reply | undefined,
  respond: () => Promise<Response>,
  released: () => Promise<void>,
): Promise<Outcome> {
  if (isError(reply)) return { kind: 'reset', error: reply };
  const fault = reply instanceof Response ? undefined : reply;
  if (fault?.kind === 'hang') return { kind: 'hang' };
  if (fault?.kind === 'reset') return connectionReset();
  const response = reply instanceof Response ? reply : await respond();
  await released();
  if (fault !== undefined && 'delayMs' in fault) await pause(fault.delayMs);
  if (fault?.kind === 'response-lost') return connectionReset();
  return { kind: fault?.kind === 'truncated' ? 'truncated' : 'response', response };
}

function connectionReset(): Outcome {
  return { kind: 'reset', error: new TypeError('fetch failed: the connection was reset') };
}

export function pause(milliseconds: number | undefined): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Returns a `fetch` that gets its responses from a fake service, without a network. */
export function fakeFetch(service: { handle(request: FakeRequest): Promise<Outcome> }): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers } = request;
    const body = await request.text();
    const handled = service.handle(fakeRequest({ method, url, headers: Object.fromEntries(headers), body }));
    const signal = init?.signal;
    signal?.throwIfAborted();
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      handled.then((outcome) => deliver(outcome, resolve, reject), reject);
    });
  };
}

function deliver(
  outcome: Outcome,
  resolve: (response: Response) => void,
  reject: (error: Error) => void,
): void {
  if (outcome.kind === 'response') resolve(outcome.response);
  if (outcome.kind === 'reset') reject(outcome.error);
  if (outcome.kind === 'truncated') resolve(truncatedResponse(outcome.response));
}

/** Returns a response with the same head, and a body that fails at once. */
function truncatedResponse({ status, headers }: Response): Response {
  const body = new ReadableStream({
    start: (controller) => controller.error(new TypeError('terminated')),
  });
  return new Response(body, { status, headers });
}
