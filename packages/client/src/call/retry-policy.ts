/** How one attempt ended, as far as repeating it is concerned. */
export type AttemptEnd =
  | { readonly kind: 'network' | 'timeout' | 'aborted' | 'unreadable' }
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterMs?: number | undefined };

/** What bounds the repetitions. */
export interface RetryLimits {
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly maxRetryDelayMs: number;
}

/** An attempt that has ended, and what is to be known for judging it. */
export interface JudgedAttempt {
  readonly end: AttemptEnd;
  /** 1 for the first. */
  readonly attempt: number;
  /** From 0 to below 1. */
  readonly random: number;
}

/**
 * How long to wait before the request is sent again, in milliseconds; `undefined` when it is not (spec, "Retry rules" and
 * "Status codes"). First match wins:
 *
 * | the attempt ended with                   | again?                                      |
 * | ---------------------------------------- | ------------------------------------------- |
 * | the last one allowed                     | no                                          |
 * | any 2xx, 3xx, 4xx                        | no: it was answered, or has to change       |
 * | an abort by the caller                   | no                                          |
 * | an answer that cannot be read            | no: it was answered                         |
 * | a 5xx that asks for a longer wait than ours | no: the caller decides                   |
 * | any other 5xx                            | yes, not before the `Retry-After` it names  |
 * | no answer: network, timeout              | yes                                         |
 *
 * The wait doubles from `retryDelayMs` up to `maxRetryDelayMs`; chance takes off up to half of it, so that many clients
 * that failed together do not come back together.
 */
export function retryDelay(limits: RetryLimits, { end, attempt, random }: JudgedAttempt): number | undefined {
  if (attempt > limits.maxRetries) return undefined;
  if (end.kind === 'aborted' || end.kind === 'unreadable') return undefined;
  if (end.kind === 'answer' && end.status < 500) return undefined;
  const full = Math.min(limits.retryDelayMs * 2 ** (attempt - 1), limits.maxRetryDelayMs);
  const backoff = full / 2 + (full / 2) * Math.min(Math.max(random, 0), 1);
  const asked = (end.kind === 'answer' && end.retryAfterMs) || 0;
  return asked > limits.maxRetryDelayMs ? undefined : Math.ceil(Math.max(backoff, asked));
}

/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date; in milliseconds from `now` on. `undefined` when there
 * is none that can be read.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Every date form of HTTP begins with the name of a day; Date.parse alone would take a mere number for a year.
  const date = /^[A-Z][a-z]+/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
