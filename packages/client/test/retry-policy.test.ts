import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { type RetryFacts, type RetryLimits, readRetryAfter, retryDelay } from '../src/call/retry-policy.js';

const limits = fc
  .record({
    maxRetries: fc.nat({ max: 10 }),
    retryDelayMs: fc.integer({ min: 1, max: 60_000 }),
    more: fc.nat({ max: 600_000 }),
  })
  .map(({ more, ...rest }): RetryLimits => ({ ...rest, maxRetryDelayMs: rest.retryDelayMs + more }));
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const attempt = fc.integer({ min: 1, max: 12 });
const retryAfterMs = fc.option(fc.nat({ max: 700_000 }), { nil: undefined });
const response = (status: fc.Arbitrary<number>) =>
  fc.record({ kind: fc.constant('response' as const), status, retryAfterMs });
const final: fc.Arbitrary<RetryFacts> = fc.oneof(
  fc.record({ kind: fc.constantFrom('aborted' as const, 'unreadable' as const) }),
  response(fc.integer({ min: 100, max: 499 })),
);
const temporary: fc.Arbitrary<RetryFacts> = fc.oneof(
  fc.record({ kind: fc.constantFrom('network' as const, 'timeout' as const) }),
  response(fc.integer({ min: 500, max: 599 })),
);
const requestedDelay = (result: RetryFacts) => (result.kind === 'response' ? (result.retryAfterMs ?? 0) : 0);

describe('the retry policy', () => {
  it('never retries a status below 500, an aborted call or an unreadable response', {
    tags: ['retry.not-client-errors'],
  }, () => {
    fc.assert(
      fc.property(limits, final, attempt, random, (limits, result, attempt, random) => {
        expect(retryDelay(limits, { result, attempt, random })).toBeUndefined();
      }),
      fuzzRuns(100),
    );
  });

  it('retries a 5xx and a lost response maxRetries times, unless Retry-After is too long', {
    tags: ['retry.server-errors-backoff'],
  }, () => {
    fc.assert(
      fc.property(limits, temporary, attempt, random, (limits, result, attempt, random) => {
        const isRetried = retryDelay(limits, { result, attempt, random }) !== undefined;
        expect(isRetried).toBe(
          attempt <= limits.maxRetries && requestedDelay(result) <= limits.maxRetryDelayMs,
        );
      }),
      fuzzRuns(100),
    );
  });

  it('waits between half and all of the doubled delay, at least Retry-After, at most the limit', () => {
    fc.assert(
      fc.property(limits, temporary, attempt, random, (limits, result, attempt, random) => {
        const delay = retryDelay(limits, { result, attempt, random });
        fc.pre(delay !== undefined);
        const full = Math.min(limits.retryDelayMs * 2 ** (attempt - 1), limits.maxRetryDelayMs);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(Math.max(full / 2, requestedDelay(result)));
        expect(delay).toBeLessThanOrEqual(Math.max(full, requestedDelay(result)));
        expect(delay).toBeLessThanOrEqual(limits.maxRetryDelayMs);
      }),
      fuzzRuns(100),
    );
  });

  it('waits at least as long for a later attempt with the same random number, and varies with it', () => {
    fc.assert(
      fc.property(limits, random, fc.integer({ min: 1, max: 9 }), (limits, random, attempt) => {
        const result = { kind: 'network' } as const;
        const many = { ...limits, maxRetries: 10 };
        const delay = (attempt: number, random: number) => retryDelay(many, { result, attempt, random }) ?? 0;
        expect(delay(attempt + 1, random)).toBeGreaterThanOrEqual(delay(attempt, random));
        expect(delay(attempt, 0.99)).toBeGreaterThanOrEqual(delay(attempt, 0));
      }),
      fuzzRuns(100),
    );
    const spread = { maxRetries: 1, retryDelayMs: 1000, maxRetryDelayMs: 1000 };
    const delays = [0, 0.5, 1].map((random) =>
      retryDelay(spread, { result: { kind: 'timeout' }, attempt: 1, random }),
    );
    expect(delays).toEqual([500, 750, 1000]);
  });

  it('retries the status 500, and a Retry-After of the longest wait, but none above', () => {
    const once = { maxRetries: 1, retryDelayMs: 100, maxRetryDelayMs: 2_000 };
    const delay = (status: number, retryAfterMs?: number) =>
      retryDelay(once, { result: { kind: 'response', status, retryAfterMs }, attempt: 1, random: 1 });
    expect([delay(499), delay(500), delay(503, 2_000), delay(503, 2_001)]).toEqual([
      undefined,
      100,
      2_000,
      undefined,
    ]);
  });

  it('keeps the limits with a random number out of range', () => {
    const spread = { maxRetries: 1, retryDelayMs: 1000, maxRetryDelayMs: 1000 };
    for (const random of [-5, 5]) {
      const delay = retryDelay(spread, { result: { kind: 'timeout' }, attempt: 1, random });
      expect(delay).toBe(random < 0 ? 500 : 1000);
    }
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-06-12T14:05:00.000Z');

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['Fri, 12 Jun 2026 14:05:30 GMT', 30_000],
    ['Fri, 12 Jun 2026 14:04:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['9999999999', undefined],
  ])('with the value %o is %o milliseconds', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });

  it('is parsed without an error for any value', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[A-Z][a-z]{2}, [0-9 A-Za-z:]{0,30}$/)),
        (header) => {
          const ms = readRetryAfter(header, now);
          expect(ms === undefined || ms >= 0).toBe(true);
        },
      ),
      fuzzRuns(100),
    );
    expect(readRetryAfter(null, now)).toBeUndefined();
  });
});
