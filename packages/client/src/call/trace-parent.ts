/** Matches version, trace id, parent id and flags (W3C Trace Context, section 3.2). An id must not be all zeros. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Trace header of a request. The service derives `correlationKey` and `logUrl` from it. */
export interface TraceParent {
  readonly header: string;
  readonly traceId: string;
}

/** Parses a `traceparent`. Returns `undefined` if it is malformed. */
export function readTraceParent(text: string): TraceParent | undefined {
  const traceId = TRACE_PARENT.exec(text)?.[1];
  return traceId === undefined ? undefined : { header: text, traceId };
}

/** Creates the header of a new trace that is not sampled. */
export function newTraceParent(): TraceParent {
  const traceId = randomHex(16);
  return { header: `00-${traceId}-${randomHex(8)}-00`, traceId };
}

function randomHex(bytes: number): string {
  const values = [...crypto.getRandomValues(new Uint8Array(bytes))];
  const hex = values.map((value) => value.toString(16).padStart(2, '0')).join('');
  // An id of zeros is invalid.
  return /[1-9a-f]/.test(hex) ? hex : randomHex(bytes);
}
