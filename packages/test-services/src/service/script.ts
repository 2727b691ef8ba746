import type { FakeRequest, RecordedRequest } from '../messages/fake-request.js';
import { respond } from '../messages/responses.js';

/** A failure that a status and a body cannot express. */
export type Fault =
  /** Resets the connection. The service has not processed the request. */
  | { kind: 'reset' }
  /** Never answers. The service has not processed the request. */
  | { kind: 'hang' }
  /** Processes the request and answers late. */
  | { kind: 'slow'; delayMs: number }
  /** Processes the request, then resets the connection. */
  | { kind: 'response-lost'; delayMs?: number }
  /** Processes the request, then resets the connection in the middle of the response. */
  | { kind: 'truncated' };

/** A scripted result of one request. An error is the one with which `fetch` rejects. */
export type Reply = Response | Fault | Error;

/** Returns the reply to a request. Undefined: the regular response of the endpoint. */
export type ReplyFunction = (request: RecordedRequest) => Reply | undefined | Promise<Reply | undefined>;

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

/** A frequent failure by its name. */
export type FaultName = keyof typeof NAMED_SCRIPTS;

/** The rule by which a request is answered. */
export type Script = FaultName | ReplyFunction;

/** The scripts that replace regular responses. */
export type Scripts = ReturnType<typeof createScripts>;

export function createScripts() {
  const byLine = new Map<string, Script>();
  const holds = new Map<string, Promise<void>>();
  let sequence: readonly Script[] = [];
  let sequencePosition = 0;

  return {
    /**
     * Answers requests to an endpoint by a script from now on. Undefined restores the regular responses.
     *
     * @param line `METHOD /path`, or a path alone for all methods.
     */
    on(line: string, script: Script | undefined): void {
      if (script === undefined) byLine.delete(line);
      else byLine.set(line, script);
    },
    /** Answers every request by the next of these scripts. The last one repeats. */
    replyInOrder(...scripts: readonly Script[]): void {
      sequence = scripts;
      sequencePosition = 0;
    },
    /** Restores the regular responses. */
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
    /** Returns the scripted reply to a request, or undefined for the regular response. */
    async replyTo(request: RecordedRequest): Promise<Reply | undefined> {
      const { method, path } = request;
      const next = sequence[Math.min(sequencePosition++, sequence.length - 1)];
      const script = byLine.get(`${method} ${path}`) ?? byLine.get(path) ?? next;
      return await (typeof script === 'string' ? NAMED_SCRIPTS[script]() : script?.(request));
    },
  };
}
