import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { fuzzRuns } from '../../../../../../scripts/fuzz-runs.mjs';
import { WAITS_FOR_WEBHOOK } from '../registration/webhook-ownership.js';
import {
  type AttemptFacts,
  decideAttempt,
  MAX_ATTEMPTS,
  PAUSE_AFTER_MS,
  waitAfter,
} from './attempt-decision.js';

const HOUR_MS = 3600_000;
const attempts = fc.integer({ min: 1, max: MAX_ATTEMPTS });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const now = fc.integer({ min: 0, max: 4e12 });

describe('pause after a failed attempt', () => {
  it.each([
    [1, 10],
    [2, 30],
    [3, 90],
    [4, 270],
    [5, 810],
    [6, 2430],
    [7, 7290],
    [8, 21_600],
    [19, 21_600],
  ])('is on average, after %i failures, %i seconds', (failed, seconds) => {
    expect(waitAfter(failed, 0.5)).toBe(seconds * 1000);
  });

  it('is shorter or longer by a quarter, by chance', () => {
    expect([0, 0.5, 1].map((chance) => waitAfter(2, chance))).toEqual([22_500, 30_000, 37_500]);
  });

  it.prop([attempts, random], fuzzRuns(100))(
    'deviates by a quarter at most, in whole milliseconds, and is never over 7.5 hours',
    (n, chance) => {
      const wait = waitAfter(n, chance);
      const middle = waitAfter(n, 0.5);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait).toBeGreaterThanOrEqual(0.75 * middle - 1);
      expect(wait).toBeLessThanOrEqual(1.25 * middle + 1);
      expect(wait).toBeLessThanOrEqual(7.5 * HOUR_MS);
    },
  );

  it.prop([attempts, random, random], fuzzRuns(100))(
    'does not shrink over two further attempts',
    (n, a, b) => {
      expect(waitAfter(n + 1, a)).toBeGreaterThan(waitAfter(n, b) * 0.59);
      if (n < 7) expect(waitAfter(n + 1, a)).toBeGreaterThan(waitAfter(n, b));
    },
  );

  it.prop([fc.array(random, { minLength: MAX_ATTEMPTS, maxLength: MAX_ATTEMPTS })], fuzzRuns(100))(
    'adds up to between two and four days until the last attempt',
    (chances) => {
      const waits = chances.slice(1).map((chance, index) => waitAfter(index + 1, chance));
      const days = waits.reduce((sum, wait) => sum + wait, 0) / (24 * HOUR_MS);
      expect(days).toBeGreaterThan(2);
      expect(days).toBeLessThan(4);
    },
  );
});

describe('result of an attempt', () => {
  const facts = fc.record<AttemptFacts>({
    delivered: fc.boolean(),
    attempts,
    failingSince: fc.option(now),
    hasAnswered: fc.boolean(),
    unansweredAttempts: fc.nat(10),
    isActive: fc.boolean(),
    now: now.map((ms) => ms + 4e12),
    random,
  });

  it.prop([facts], fuzzRuns(100))(
    'that succeeds ends the delivery and the endpoint’s failure, whatever came before',
    (given) => {
      expect(decideAttempt({ ...given, delivered: true })).toEqual({
        status: 'delivered',
        nextAttemptAt: undefined,
        failingSince: null,
        pauses: false,
      });
    },
  );

  it.prop([facts], fuzzRuns(100))(
    'that fails is a retry in the future, a wait for its webhook, or the last of twenty',
    (given) => {
      const decision = decideAttempt({ ...given, delivered: false });
      expect(decision.status).toBe(given.attempts < MAX_ATTEMPTS ? 'pending' : 'failed');
      expect(decision.failingSince).toBe(given.failingSince ?? given.now);
      const waits = decision.nextAttemptAt ?? Number.NaN;
      if (decision.status === 'failed') expect(decision.nextAttemptAt).toBeUndefined();
      else if (!given.isActive || decision.pauses) expect(waits).toBe(WAITS_FOR_WEBHOOK);
      else expect([waits > given.now, waits < WAITS_FOR_WEBHOOK]).toEqual([true, true]);
    },
  );

  it.prop([facts], fuzzRuns(100))(
    'pauses an endpoint after five days of failures, never sooner, and not twice',
    (given) => {
      const { pauses } = decideAttempt({ ...given, delivered: false, hasAnswered: true });
      if (pauses) {
        expect(given.isActive).toBe(true);
        expect(given.now - (given.failingSince ?? given.now)).toBeGreaterThanOrEqual(PAUSE_AFTER_MS);
      }
    },
  );

  it.prop([facts], fuzzRuns(100))(
    'pauses an endpoint that has never answered after five failures, not twice',
    (given) => {
      const { pauses } = decideAttempt({ ...given, delivered: false, hasAnswered: false });
      if (given.unansweredAttempts + 1 >= 5) expect(pauses).toBe(given.isActive);
      if (pauses) expect(given.isActive).toBe(true);
    },
  );

  it('that fails does not pause an endpoint that had no attempts for days', () => {
    const stale = {
      delivered: false,
      failingSince: 0,
      hasAnswered: true,
      unansweredAttempts: 0,
      isActive: true,
      now: 30 * PAUSE_AFTER_MS,
      random: 0.5,
    };
    expect(decideAttempt({ ...stale, attempts: 1 }).pauses).toBe(false);
    expect(decideAttempt({ ...stale, attempts: 8 }).pauses).toBe(true);
  });
});
