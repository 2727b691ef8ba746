import { describe, expect, it } from 'vitest';
import { decideMailAttempt, MAIL_EXPIRY_MS } from '../../src/domain/mail/mail-decision.js';

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
});
