import type { Settings } from '../options/options.js';

/** Result of an attempt, reduced to what decides about a retry. */
export type RetryFacts =
  | { readonly kind: 'network' | 'timeout' | 'aborted' | 'unreadable' }
  | { readonly kind: 'response'; readonly status: number; readonly retryAfterMs?: number | undefined };

export type RetryLimits = Pick<Settings, 'maxRetries' | 'retryDelayMs' | 'maxRetryDelayMs'>;

/**
 * Returns the delay before the next attempt in milliseconds, or `undefined` if there must be no retry (spec, "Retry
 * rules" and "Status codes"). The first matching row applies:
 *
 * | result of the attempt                           | retry                                          |
 * | ----------------------------------------------- | ---------------------------------------------- |
 * | any, of the last allowed attempt                | no                                             |
 * | 2xx, 3xx or 4xx                                 | no: the result is final                        |
 * | aborted by the caller                           | no                                             |
 * | unreadable response                             | no: the service processed the request          |
 * | 5xx, `Retry-After` longer than `maxRetryDelayMs` | no: the caller decides                        |
 * | any other 5xx                                   | yes, after its `Retry-After` at the earliest   |
 * | network error, timeout                          | yes                                            |
 *
 * The delay doubles from `retryDelayMs` up to `maxRetryDelayMs`. Random jitter subtracts up to half of it, so clients
 * that failed together don't retry together.
 *
 * @param finished `attempt` starts at 1. `random` is from 0 to below 1.
 */
export function retryDelay(
  limits: RetryLimits,
  finished: { result: RetryFacts; attempt: number; random: number },
): number | undefined {
  const { result, attempt, random } = finished;
  if (attempt > limits.maxRetries) return undefined;
  if (result.kind === 'aborted' || result.kind === 'unreadable') return undefined;
  if (result.kind === 'response' && result.status < 500) return undefined;
  const full = Math.min(limits.retryDelayMs * 2 ** (attempt - 1), limits.maxRetryDelayMs);
  const backoff = full / 2 + (full / 2) * Math.min(Math.max(random, 0), 1);
  const requested = (result.kind === 'response' && result.retryAfterMs) || 0;
  return requested > limits.maxRetryDelayMs ? undefined : Math.ceil(Math.max(backoff, requested));
}

/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3), which contains seconds or a date.
 *
 * @returns milliseconds from `now`, or `undefined` if the header is absent or malformed.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // HTTP dates begin with the name of a day. Date.parse would also accept a plain number as a year.
  const date = /^[A-Z][a-z]+/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
