import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { BODY_BYTES_MAX, type CopiedBody, REPLAY_HEADER } from './redact-round-trip.js';

/** A copy of a body, cut after {@link BODY_BYTES_MAX} bytes. */
export class BodyCopy {
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  bytes = 0;

  add(chunk: unknown, encoding?: unknown): void {
    const bytes = bytesOf(chunk, encoding);
    if (bytes === undefined) return;
    this.bytes += bytes.byteLength;
    const kept = bytes.subarray(0, BODY_BYTES_MAX - this.#kept);
    if (kept.byteLength === 0) return;
    this.#chunks.push(Buffer.from(kept));
    this.#kept += kept.byteLength;
  }

  read(): CopiedBody {
    return { kept: Buffer.concat(this.#chunks), bytes: this.bytes };
  }
}

/** Returns what a call of `write` or `end` sends; `undefined` for a call without data. */
export function bytesOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (typeof chunk !== 'string') return undefined;
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

/** Less than what Node.js receives before anybody reads. */
const READ_AHEAD_BYTES = 16 * 1024;

/** The body of a request while it arrives. */
export interface ArrivingBody {
  readonly copy: BodyCopy;
  /**
   * Resolves when the whole body or {@link READ_AHEAD_BYTES} of it have arrived, or the caller has closed the
   * connection. Node.js stops receiving a body that nobody reads, so a long one never arrives completely.
   */
  readonly arrived: Promise<void>;
}

/**
 * Copies the body of a request as it arrives. The server still reads all of it. Call it in the same turn in which the
 * request began.
 */
export function copyRequestBody(request: IncomingMessage): ArrivingBody {
  const copy = new BodyCopy();
  const push = request.push;
  const arrived = new Promise<void>((resolve) => {
    request.once('close', resolve);
    request.push = (chunk: unknown, encoding?: BufferEncoding) => {
      copy.add(chunk, encoding);
      if (chunk === null || copy.bytes >= READ_AHEAD_BYTES) resolve();
      return push.call(request, chunk, encoding);
    };
  });
  return { copy, arrived };
}

/** Copies the body of a response. `isEnded` returns true once the handler has ended it. */
export function copyAnswer(response: ServerResponse) {
  const copy = new BodyCopy();
  let isEnded = false;
  const { write, end } = response;
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    copy.add(chunk, rest[0]);
    return Reflect.apply(write, response, [chunk, ...rest]);
  }) as typeof response.write;
  response.end = ((...values: unknown[]) => {
    copy.add(values[0], values[1]);
    isEnded = true;
    return Reflect.apply(end, response, values);
  }) as typeof response.end;
  return { copy, isEnded: () => isEnded };
}

/** A request as it arrived, with its secrets. It stays in memory next to its entry, and is never shown or exported. */
export interface RawRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as they arrived. */
  readonly headers: readonly string[];
  readonly body: CopiedBody;
}

/** Headers about the connection (a replay has its own), and the header that marks replays. */
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
