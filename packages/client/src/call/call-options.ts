import * as z from 'zod';
import { millisecondsOption, retriesOption, type Settings } from '../options/options.js';
import { InvalidRequest } from './endpoint-call.js';

/** Options of a single call, its last argument. */
export interface CallOptions {
  /** Aborts the call at once, even between two attempts. The call then rejects with `aborted`. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum duration of an attempt, in milliseconds.
   * @default the client's option
   */
  timeoutMs?: number | undefined;
  /**
   * Maximum number of retries. 0 disables retries.
   * @default the client's option
   */
  maxRetries?: number | undefined;
  /**
   * W3C `traceparent` of your own trace. It's sent unchanged, and the `correlationKey` and `logUrl` of a failure then
   * belong to your trace. A malformed one is replaced.
   * @default a new trace
   */
  traceparent?: string | undefined;
}

export type CallPlan = ReturnType<typeof planCall>;

const schema = z.strictObject({
  signal: z
    .custom<AbortSignal>((value) => typeof value === 'object' && value !== null && 'aborted' in value, {
      error: 'must be an AbortSignal.',
    })
    .optional(),
  timeoutMs: millisecondsOption.optional(),
  maxRetries: retriesOption.optional(),
  traceparent: z.string({ error: 'must be a string.' }).optional(),
});

/**
 * Validates the options of a call. Options that are missing come from the client.
 *
 * @throws InvalidRequest that lists every invalid option.
 */
export function planCall(settings: Settings, options: CallOptions) {
  const parsed = schema.safeParse(options);
  if (!parsed.success) throw new InvalidRequest(parsed.error.issues.map(describeIssue).join(' '));
  const { signal, timeoutMs, maxRetries, traceparent } = parsed.data;
  // The header can come from a visitor's request. A malformed one must not stop a purchase, so the trace is restarted
  // (W3C Trace Context, section 2.3).
  const given = traceparent === undefined ? undefined : readTraceParent(traceparent);
  return {
    signal,
    timeoutMs: timeoutMs ?? settings.timeoutMs,
    maxRetries: maxRetries ?? settings.maxRetries,
    trace: given ?? newTraceParent(),
    /** True if the given `traceparent` is malformed. */
    isTraceReplaced: traceparent !== undefined && given === undefined,
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is not an option of a call.`;
  return issue.path.length === 0
    ? 'Its options must be an object.'
    : `${issue.path.join('.')} ${issue.message}`;
}

/** Version, trace id, parent id and flags (W3C Trace Context, section 3.2). An id must not be all zeros. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

function readTraceParent(text: string) {
  const traceId = TRACE_PARENT.exec(text)?.[1];
  return traceId === undefined ? undefined : { header: text, traceId };
}

/** Creates the header of a new, unsampled trace. */
function newTraceParent() {
  const traceId = randomHex(16);
  return { header: `00-${traceId}-${randomHex(8)}-00`, traceId };
}

function randomHex(bytes: number): string {
  const values = [...crypto.getRandomValues(new Uint8Array(bytes))];
  const hex = values.map((value) => value.toString(16).padStart(2, '0')).join('');
  // An id of zeros is invalid.
  return /[1-9a-f]/.test(hex) ? hex : randomHex(bytes);
}
