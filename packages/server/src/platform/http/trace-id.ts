import type { Request } from 'express';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/** Returns the trace id of a request (W3C Trace Context, `traceparent`); `undefined` if the header is missing or invalid. */
export function traceIdOf(request: Request): string | undefined {
  return TRACEPARENT.exec(request.get('traceparent') ?? '')?.[1];
}
