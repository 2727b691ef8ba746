import type { IncomingMessage, ServerResponse } from 'node:http';
import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import type { Request } from 'express';
import { type Deadline, LATE } from './deadline.js';

/** Where a raw body is kept beside the parsed one, by convention; Firebase and Cloud Functions do so too. */
const RAW_BODY = 'rawBody';

/**
 * For an app that cannot mount `webhooks()` before its JSON parser: `express.json({ verify: keepRawBody })` keeps the raw
 * body of webhook deliveries beside the parsed one. Other requests are left alone.
 */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Buffer): void {
  if (request.headers[WEBHOOK_HEADERS.signature.toLowerCase()] !== undefined)
    Reflect.set(request, RAW_BODY, body);
}

/** What became of reading a body. */
export type RawBody =
  | { kind: 'read'; bytes: Buffer }
  | { kind: 'too_large' }
  | { kind: 'too_slow' }
  /** The sender went away in the middle. */
  | { kind: 'gone' }
  /** Something before has read it and kept only what it made of it. */
  | { kind: 'consumed'; explanation: string };

/** The bytes of a request's body: from the wire, or as somebody mounted before has kept them. Never rejects. */
export async function readRawBody(
  request: Request,
  { maxBytes, deadline }: { maxBytes: number; deadline: Deadline },
): Promise<RawBody> {
  const kept = keptBody(request);
  if (kept !== undefined)
    return kept.byteLength > maxBytes ? { kind: 'too_large' } : { kind: 'read', bytes: kept };
  if (request.readableDidRead) return { kind: 'consumed', explanation: explainConsumption(request) };
  if (Number(request.headers['content-length']) > maxBytes) return { kind: 'too_large' };
  const stop = new AbortController();
  const body = await deadline.race(collect(request, maxBytes, stop.signal));
  stop.abort();
  if (body === LATE) return { kind: 'too_slow' };
  // Some hosts parse the body before there is a request to read it from.
  const isElsewhere = body.kind === 'read' && body.bytes.length === 0 && request.body !== undefined;
  return isElsewhere ? { kind: 'consumed', explanation: explainConsumption(request) } : body;
}

/** `express.raw()` leaves a Buffer, `express.text()` a string; a `verify` function leaves what it likes in `rawBody`. */
function keptBody(request: Request): Buffer | undefined {
  for (const kept of [Reflect.get(request, RAW_BODY), request.body]) {
    if (Buffer.isBuffer(kept)) return kept;
    if (kept instanceof Uint8Array) return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
    if (typeof kept === 'string') return Buffer.from(kept);
  }
  return undefined;
}

function collect(request: Request, maxBytes: number, stop: AbortSignal): Promise<RawBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (body: RawBody) => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      // Nothing of what may still come is wanted.
      if (body.kind !== 'read') request.pause();
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length > maxBytes) settle({ kind: 'too_large' });
      else chunks.push(chunk);
    };
    const onEnd = () => settle({ kind: 'read', bytes: Buffer.concat(chunks, length) });
    const onGone = () => settle({ kind: 'gone' });
    stop.addEventListener('abort', () => settle({ kind: 'gone' }), { once: true });
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** Body parsers as Express names them in its stack of middleware. */
const PARSERS: Readonly<Record<string, string>> = {
  jsonParser: 'express.json()',
  urlencodedParser: 'express.urlencoded()',
  rawParser: 'express.raw()',
  textParser: 'express.text()',
};

function explainConsumption(request: Request): string {
  const mounted = middlewareOf(request);
  const parser = mounted.find((name) => Object.hasOwn(PARSERS, name));
  const culprit =
    parser === undefined
      ? `Something mounted before webhooks() has read the body${mounted.length === 0 ? '' : `; the app has mounted, in this order: ${mounted.join(', ')}`}`
      : `${PARSERS[parser]}, mounted before webhooks(), has read the body`;
  return `${culprit}. The signature can only be checked over the raw bytes: mount webhooks() above it, or keep the raw body with express.json({ verify: keepRawBody }).`;
}

/** Names of the app's middleware, in the order they are mounted. */
function middlewareOf(request: Request): string[] {
  const app = request.app ?? {};
  // Express 4 has it as `_router`, and throws when asked for `router`.
  const router: unknown = Reflect.get(app, '_router') ?? Reflect.get(app, 'router');
  const stack: unknown = typeof router === 'function' ? Reflect.get(router, 'stack') : undefined;
  if (!Array.isArray(stack)) return [];
  return stack.flatMap((layer: { name?: unknown; route?: unknown }) =>
    layer.route === undefined ? [typeof layer.name === 'string' ? layer.name : '<anonymous>'] : [],
  );
}
