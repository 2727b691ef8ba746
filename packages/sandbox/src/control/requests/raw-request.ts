import type { Request } from 'express';
import type { CopiedBody } from './redact-exchange.js';
import { REPLAY_HEADER } from './redact-headers.js';

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
