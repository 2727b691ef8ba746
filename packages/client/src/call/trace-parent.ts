/** W3C Trace Context, section 3.2: version, trace-id, parent-id, flags; lower case, ids not all zeros. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** What a request carries so that the service's log, its `correlationKey` and `logUrl` can be found. */
export interface TraceParent {
  readonly header: string;
  readonly traceId: string;
}

/** Reads a `traceparent`; `undefined` when it is none that could be passed on. */
export function readTraceParent(text: string): TraceParent | undefined {
  const traceId = TRACE_PARENT.exec(text)?.[1];
  return traceId === undefined ? undefined : { header: text, traceId };
}

/** Begins a trace of its own, not sampled. */
export function newTraceParent(): TraceParent {
  const traceId = randomHex(16);
  return { header: `00-${traceId}-${randomHex(8)}-00`, traceId };
}

function randomHex(bytes: number): string {
  const values = [...crypto.getRandomValues(new Uint8Array(bytes))];
  const hex = values.map((value) => value.toString(16).padStart(2, '0')).join('');
  // All zeros mean "none"; nobody will see it happen.
  return /[1-9a-f]/.test(hex) ? hex : randomHex(bytes);
}
