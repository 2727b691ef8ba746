import { randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import type { Request } from 'express';
import { ControlFailure } from '../access/control-failure.js';
import { BODY_BYTES_MAX, type CopiedBody, REPLAY_HEADER } from './redact-exchange.js';
import type { RequestLog, RequestSummary } from './request-log.js';

/** Request as it arrived, with its secrets. It stays in memory beside its entry, and is never shown or exported. */
export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names and values in turn, as they arrived. */
  readonly headers: readonly string[];
  readonly body: CopiedBody;
}

/** Headers of the connection, which the new one has for itself, and the header of replays. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'trailer', 'expect', 'upgrade'],
  REPLAY_HEADER,
]);

/** Returns a copy of a request as it arrived. */
export function rawRequestOf(request: Request, body: CopiedBody): RawRequest {
  const { method, originalUrl, rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || DROPPED.has(name.toLowerCase()) ? [] : [name, rawHeaders[index + 1] ?? ''],
  );
  return { method, url: originalUrl, headers, body };
}

/** Sends logged requests again. */
export interface Replays {
  /**
   * Sends a request again as it arrived, with its credentials, and waits for its entry. A code or token that works once is
   * answered as the service answers its second use.
   *
   * @throws ControlFailure `not_found` if there is no such entry; `conflict` if its body was too long to keep, or if the log
   * was emptied meanwhile.
   */
  replay(id: string): Promise<RequestSummary>;
  /** Returns the replay that sent a request, once. `undefined` for other requests. */
  take(request: Request): TakenReplay | undefined;
}

interface TakenReplay {
  readonly of: string;
  /** Receives the new entry. */
  done(entry: RequestSummary | undefined): void;
}

/** @param target address and port of the own server. */
export function createReplays(
  log: Pick<RequestLog, 'raw'>,
  target: () => { host: string; port: number },
): Replays {
  const waiting = new Map<string, TakenReplay>();
  return {
    async replay(id) {
      const raw = log.raw(id);
      if (raw.body.bytes > raw.body.kept.byteLength) {
        const limit = `${BODY_BYTES_MAX / 1024} KiB`;
        throw new ControlFailure('conflict', `The log keeps ${limit} of a body. This one was longer.`);
      }
      const name = randomUUID();
      try {
        const entry = await new Promise<RequestSummary | undefined>((resolve, reject) => {
          waiting.set(name, { of: id, done: resolve });
          // After the server has received the request, only its entry ends the wait, even if a fault resets the connection.
          send(raw, { ...target(), name }, (error) => waiting.has(name) && reject(error));
        });
        if (entry === undefined)
          throw new ControlFailure('conflict', 'The log was emptied during the replay.');
        return entry;
      } finally {
        waiting.delete(name);
      }
    },
    take(request) {
      const name = request.get(REPLAY_HEADER) ?? '';
      const replay = waiting.get(name);
      waiting.delete(name);
      return replay;
    },
  };
}

function send(
  { method, url, headers, body }: RawRequest,
  { host, port, name }: { host: string; port: number; name: string },
  failed: (error: Error) => void,
): void {
  const length = body.kept.byteLength > 0 ? ['Content-Length', String(body.kept.byteLength)] : [];
  const sent: ClientRequest = sendRequest(
    {
      ...{ host, port, method, path: url, agent: false },
      headers: [...headers, ...length, REPLAY_HEADER, name, 'Connection', 'close'],
    },
    (answer: IncomingMessage) => void answer.on('error', failed).resume(),
  );
  sent.on('error', failed).end(body.kept);
}
