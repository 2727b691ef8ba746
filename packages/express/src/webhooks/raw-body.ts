import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { keptBody, RAW_BODY } from '../http/kept-body.js';
import { type Deadline, LATE } from './deadline.js';

/**
 * Keeps the raw body of webhook deliveries next to the parsed one, for apps that can't mount `webhooks()` above their
 * JSON parser. It keeps the body of every request with a header that ends in `-signature`, so it works whatever the
 * service's header prefix is. Other requests aren't changed.
 * @example app.use(express.json({ verify: keepRawBody }));
 */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Buffer): void {
  if (Object.keys(request.headers).some((name) => name.endsWith('-signature')))
    Reflect.set(request, RAW_BODY, body);
}

export type RawBody =
  /** `decoded` is the body without its `Content-Encoding`, the same as `bytes` if nothing was decoded. */
  | { kind: 'read'; bytes: Buffer; decoded: Buffer }
  | { kind: 'encoding_unknown'; encoding: string; charset: string }
  | { kind: 'too_large' }
  | { kind: 'too_slow' }
  | { kind: 'closed' }
  /** Other middleware has read the body and kept only the parsed value. */
  | { kind: 'consumed'; explanation: string };

/** Reads a request's body, or takes it from middleware that kept it. Never rejects. */
export async function readRawBody(
  request: Request,
  { maxBytes, deadline }: { maxBytes: number; deadline: Deadline },
): Promise<RawBody> {
  const kept = keptBody(request);
  if (kept !== undefined)
    // Body parsers decode before they call `verify`.
    return kept.byteLength > maxBytes ? { kind: 'too_large' } : readBody(kept);
  // A stream without data ends without having been read.
  if (request.readableDidRead || request.readableEnded) return withoutStream(request);
  if (Number(request.headers['content-length']) > maxBytes) return { kind: 'too_large' };
  const stop = new AbortController();
  const body = await deadline.race(collect(request, maxBytes, stop.signal));
  stop.abort();
  if (body === LATE) return { kind: 'too_slow' };
  // Some hosting platforms parse the body before Express receives the request.
  const wasParsed = body.kind === 'read' && body.bytes.length === 0 && request.body !== undefined;
  if (wasParsed) return withoutStream(request);
  return body.kind === 'read' ? decode(body.bytes, request.headers, maxBytes) : body;
}

const readBody = (bytes: Buffer, decoded = bytes): RawBody => ({ kind: 'read', bytes, decoded });

/** The formats of an encoding. Many senders of `deflate` leave out its wrapper, and old versions of Node.js lack brotli. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  gzip: ['gzip'],
  'x-gzip': ['gzip'],
  deflate: ['deflate', 'deflate-raw'],
  br: ['brotli'],
};

/** Returns the `Content-Encoding` and the charset of a body, each empty if it's uncompressed or UTF-8. */
export function encodingsOf(headers: Request['headers']): { encoding: string; charset: string } {
  const [, stated = ''] = /;\s*charset="?([^\s";]+)/i.exec(headers['content-type'] ?? '') ?? [];
  const charset = stated.toLowerCase().replace(/^utf-?8$/, '');
  const encoding = (headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase()
    .replace(/^identity$/, '');
  return { encoding: encoding.slice(0, 40), charset: charset.slice(0, 40) };
}

/** Decodes a compressed body, up to the limit. If it isn't what its header says, it stays as it was sent. */
async function decode(bytes: Buffer, headers: Request['headers'], maxBytes: number): Promise<RawBody> {
  const { encoding, charset } = encodingsOf(headers);
  if (encoding === '' || bytes.length === 0) return readBody(bytes);
  const formats = Object.hasOwn(FORMATS, encoding) ? FORMATS[encoding] : undefined;
  if (formats === undefined) return { kind: 'encoding_unknown', encoding, charset };
  let decoded: Buffer | undefined;
  for (const format of formats) decoded ??= await decompress(bytes, format, maxBytes);
  return decoded !== undefined && decoded.length > maxBytes
    ? { kind: 'too_large' }
    : readBody(bytes, decoded);
}

/** Decompresses until the limit is exceeded. Returns `undefined` if the bytes have another format. */
async function decompress(bytes: Buffer, format: string, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const stream = new DecompressionStream(format as CompressionFormat);
    for await (const chunk of new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream)) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length > maxBytes) break;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks, length);
}

/** Returns the result for a request if other middleware has read its stream. */
function withoutStream(request: Request): RawBody {
  return isEmpty(request)
    ? readBody(Buffer.alloc(0))
    : { kind: 'consumed', explanation: explainConsumption(request) };
}

/** True if the request has no body. Some parsers set an empty object anyway. */
function isEmpty({ headers, body }: Request): boolean {
  const hasLength =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  if (hasLength) return false;
  return body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
}

function collect(request: Request, maxBytes: number, stop: AbortSignal): Promise<RawBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (body: RawBody) => {
      request.off('data', onData).off('end', onEnd).off('error', onClosed).off('close', onClosed);
      if (body.kind !== 'read') request.pause();
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length > maxBytes) settle({ kind: 'too_large' });
      else chunks.push(chunk);
    };
    const onEnd = () => settle(readBody(Buffer.concat(chunks, length)));
    const onClosed = () => settle({ kind: 'closed' });
    stop.addEventListener('abort', () => settle({ kind: 'closed' }), { once: true });
    request.on('data', onData).on('end', onEnd).on('error', onClosed).on('close', onClosed);
  });
}

/** Body parsers by their function names in the middleware stack. */
const PARSERS: Readonly<Record<string, string>> = {
  jsonParser: 'express.json()',
  urlencodedParser: 'express.urlencoded()',
  rawParser: 'express.raw()',
  textParser: 'express.text()',
};

function explainConsumption(request: Request): string {
  const mounted = middlewareOf(request);
  const parser = mounted.find((name) => Object.hasOwn(PARSERS, name));
  const cause =
    parser === undefined
      ? `Middleware mounted before webhooks() has read the body${mounted.length === 0 ? '' : `. The app's middleware, in order: ${mounted.join(', ')}`}`
      : `${PARSERS[parser]}, mounted before webhooks(), has read the body`;
  return `${cause}. The signature can only be verified with the raw bytes. Mount webhooks() above it, or keep the raw body with express.json({ verify: keepRawBody }).`;
}

interface Layer {
  readonly name?: unknown;
  readonly route?: { readonly stack?: readonly Layer[] };
  match?(path: string): boolean;
}

/** Returns the names of the app's middleware for this path, in mount order. */
function middlewareOf(request: Request): string[] {
  const app = request.app ?? {};
  // In Express 4 the property is `_router`, and reading `router` throws.
  const router: unknown = Reflect.get(app, '_router') ?? Reflect.get(app, 'router');
  const stack: unknown = typeof router === 'function' ? Reflect.get(router, 'stack') : undefined;
  if (!Array.isArray(stack)) return [];
  const path = request.baseUrl + request.path;
  return stack
    .filter((layer: Layer) => layer.match?.(path) ?? true)
    .flatMap((layer: Layer) => layer.route?.stack?.slice(0, -1) ?? layer)
    .map(({ name }) => (typeof name === 'string' ? name : '<anonymous>'));
}
