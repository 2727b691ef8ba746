import type { Request } from 'express';

/** Conventional property for the raw body next to the parsed one. Firebase and Cloud Functions set it too. */
export const RAW_BODY = 'rawBody';

/** Returns the bytes kept by `express.raw()` (a Buffer), `express.text()` (a string), or a `verify` function. */
export function keptBody(request: Request): Buffer | undefined {
  for (const kept of [Reflect.get(request, RAW_BODY), request.body]) {
    if (Buffer.isBuffer(kept)) return kept;
    if (kept instanceof Uint8Array) return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
    if (typeof kept === 'string') return Buffer.from(kept);
  }
  return undefined;
}
