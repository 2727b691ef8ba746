import * as z from 'zod';
import { millisecondsOption, retriesOption, type Settings } from '../options/options.js';
import { InvalidRequest } from './invalid-request.js';
import { newTraceParent, readTraceParent, type TraceParent } from './trace-parent.js';

/** What may be said of a single call, as its last argument. */
export interface CallOptions {
  /** Ends the call at once, also while it waits to repeat. It then rejects with `aborted`. */
  signal?: AbortSignal | undefined;
  /** Longest wait for one answer, in milliseconds. Default: that of the client. */
  timeoutMs?: number | undefined;
  /** How often to repeat; 0 sends one request. Default: that of the client. */
  maxRetries?: number | undefined;
  /**
   * The present W3C `traceparent`, passed on as it is, so that a failure carries `correlationKey` and `logUrl` of your
   * own trace. Default, and instead of one that is not well-formed: a new trace for the call.
   */
  traceparent?: string | undefined;
}

/** How a call goes about it, once its options are read. */
export interface CallPlan {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly trace: TraceParent;
  /** Whether a `traceparent` was given that cannot be passed on. */
  readonly isTraceReplaced: boolean;
}

const schema = z.strictObject({
  signal: z
    .custom<AbortSignal>((value) => typeof value === 'object' && value !== null && 'aborted' in value, {
      error: 'must be an AbortSignal.',
    })
    .optional(),
  timeoutMs: millisecondsOption.optional(),
  maxRetries: retriesOption.optional(),
  traceparent: z.string({ error: 'must be text.' }).optional(),
});

/**
 * Reads the options of a call; what they leave open is as the client has it.
 *
 * @throws InvalidRequest that names each option that cannot work.
 */
export function planCall(settings: Settings, options: CallOptions): CallPlan {
  const parsed = schema.safeParse(options);
  if (!parsed.success) throw new InvalidRequest(parsed.error.issues.map(describeIssue).join(' '));
  const { signal, timeoutMs, maxRetries, traceparent } = parsed.data;
  // Where the trace comes from a visitor's request, a malformed one must not be what stops a purchase (W3C Trace
  // Context, section 2.3: restart the trace).
  const given = traceparent === undefined ? undefined : readTraceParent(traceparent);
  return {
    signal,
    timeoutMs: timeoutMs ?? settings.timeoutMs,
    maxRetries: maxRetries ?? settings.maxRetries,
    trace: given ?? newTraceParent(),
    isTraceReplaced: traceparent !== undefined && given === undefined,
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is no option of a call.`;
  return issue.path.length === 0
    ? 'Its options must be an object.'
    : `${issue.path.join('.')} ${issue.message}`;
}
