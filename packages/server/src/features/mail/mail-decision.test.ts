import { describe, expect, it } from 'vitest';
import { decideMailAttempt, MAIL_EXPIRY_MS } from './mail-decision.js';

const START = 1_000_000;

describe('attempt to send a mail', () => {
  it('is repeated with growing waits, and given up before the mail is a day old', () => {
    const waits: number[] = [];
    let now = START;
    for (let attempts = 0; ; attempts += 1) {
      const decision = decideMailAttempt('failed', { attempts, createdAt: START, now, random: 0.5 });
      if (decision.status !== 'pending') {
        expect(decision).toEqual({ status: 'failed' });
        break;
      }
      waits.push((decision.nextAttemptAt - now) / 60_000);
      now = decision.nextAttemptAt;
    }
    expect(waits.slice(0, 7)).toEqual([1, 3, 9, 27, 81, 120, 120]);
    expect(now - START).toBeLessThan(MAIL_EXPIRY_MS);
    expect(now - START).toBeGreaterThan(MAIL_EXPIRY_MS - 121 * 60_000);
  });

  it('is not repeated after a permanent rejection', () => {
    const facts = { attempts: 0, createdAt: START, now: START, random: 0.5 };
    expect(decideMailAttempt('rejected', facts)).toEqual({ status: 'failed' });
    expect(decideMailAttempt('dropped', facts)).toEqual({ status: 'dropped' });
  });

  it('is the last one when the mail was sent', () => {
    const facts = { attempts: 19, createdAt: START, now: START + MAIL_EXPIRY_MS, random: 0.5 };
    expect(decideMailAttempt('sent', facts)).toEqual({ status: 'sent' });
  });

  it('is repeated after a wait that deviates by a quarter at most', () => {
    const facts = { attempts: 1, createdAt: START, now: START };
    const waitFor = (random: number) => {
      const decision = decideMailAttempt('failed', { ...facts, random });
      return decision.status === 'pending' ? decision.nextAttemptAt - START : undefined;
    };
    expect([0, 0.5, 1].map(waitFor)).toEqual([135_000, 180_000, 225_000]);
  });

  it.each([
    [0, 'pending'],
    [1, 'failed'],
  ])('that would follow %i ms after the last moment before a day leaves it %s', (late, status) => {
    const now = START + MAIL_EXPIRY_MS - 60_000 - 1 + late;
    const facts = { attempts: 0, createdAt: START, now, random: 0.5 };
    expect(decideMailAttempt('failed', facts).status).toBe(status);
  });
});
