import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptEnd, type RetryLimits, readRetryAfter, retryDelay } from '../src/call/retry-policy.js';

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
const answer = (status: fc.Arbitrary<number>) =>
  fc.record({ kind: fc.constant('answer' as const), status, retryAfterMs });
const final: fc.Arbitrary<AttemptEnd> = fc.oneof(
  fc.record({ kind: fc.constantFrom('aborted' as const, 'unreadable' as const) }),
  answer(fc.integer({ min: 100, max: 499 })),
);
const passing: fc.Arbitrary<AttemptEnd> = fc.oneof(
  fc.record({ kind: fc.constantFrom('network' as const, 'timeout' as const) }),
  answer(fc.integer({ min: 500, max: 599 })),
);
const askedFor = (end: AttemptEnd) => (end.kind === 'answer' ? (end.retryAfterMs ?? 0) : 0);

describe('the retry policy', () => {
  it('never repeats what was answered below 500, aborted, or unreadable [retry.not-client-errors]', () => {
    fc.assert(
      fc.property(limits, final, attempt, random, (limits, end, attempt, random) => {
        expect(retryDelay(limits, { end, attempt, random })).toBeUndefined();
      }),
    );
  });

  it('repeats a 5xx and a lost answer exactly maxRetries times, unless told to stay away for longer [retry.server-errors-backoff]', () => {
    fc.assert(
      fc.property(limits, passing, attempt, random, (limits, end, attempt, random) => {
        const isRepeated = retryDelay(limits, { end, attempt, random }) !== undefined;
        expect(isRepeated).toBe(attempt <= limits.maxRetries && askedFor(end) <= limits.maxRetryDelayMs);
      }),
    );
  });

  it('waits between half and all of the doubled pause, never less than asked for, never more than the limit', () => {
    fc.assert(
      fc.property(limits, passing, attempt, random, (limits, end, attempt, random) => {
        const delay = retryDelay(limits, { end, attempt, random });
        fc.pre(delay !== undefined);
        const full = Math.min(limits.retryDelayMs * 2 ** (attempt - 1), limits.maxRetryDelayMs);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(Math.max(full / 2, askedFor(end)));
        expect(delay).toBeLessThanOrEqual(Math.max(full, askedFor(end)));
        expect(delay).toBeLessThanOrEqual(limits.maxRetryDelayMs);
      }),
    );
  });

  it('waits no less for a later attempt, chance being equal, and is different by chance', () => {
    fc.assert(
      fc.property(limits, random, fc.integer({ min: 1, max: 9 }), (limits, random, attempt) => {
        const end = { kind: 'network' } as const;
        const many = { ...limits, maxRetries: 10 };
        const delay = (attempt: number, random: number) => retryDelay(many, { end, attempt, random }) ?? 0;
        expect(delay(attempt + 1, random)).toBeGreaterThanOrEqual(delay(attempt, random));
        expect(delay(attempt, 0.99)).toBeGreaterThanOrEqual(delay(attempt, 0));
      }),
    );
    const spread = { maxRetries: 1, retryDelayMs: 1000, maxRetryDelayMs: 1000 };
    const delays = [0, 0.5, 1].map((random) =>
      retryDelay(spread, { end: { kind: 'timeout' }, attempt: 1, random }),
    );
    expect(delays).toEqual([500, 750, 1000]);
  });

  it('keeps the limits also with chance that is none', () => {
    const spread = { maxRetries: 1, retryDelayMs: 1000, maxRetryDelayMs: 1000 };
    for (const random of [-5, 5]) {
      const delay = retryDelay(spread, { end: { kind: 'timeout' }, attempt: 1, random });
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
  ])('%o means %o milliseconds', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });

  it('is read without failing, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[A-Z][a-z]{2}, [0-9 A-Za-z:]{0,30}$/)),
        (header) => {
          const ms = readRetryAfter(header, now);
          expect(ms === undefined || ms >= 0).toBe(true);
        },
      ),
    );
    expect(readRetryAfter(null, now)).toBeUndefined();
  });
});
