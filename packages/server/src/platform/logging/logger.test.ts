import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../index.js';
import { throttledWarning } from './logger.js';

const START = Date.UTC(2026, 5, 12);
const MINUTE = 60_000;

function startLog() {
  const clock = createManualClock(START);
  const lines: object[] = [];
  const ignore = () => undefined;
  const logger = { info: ignore, error: ignore, warn: (fields: object) => void lines.push(fields) };
  return { clock, lines, warn: throttledWarning({ clock, logger }) };
}

describe('a warning that anyone can cause', () => {
  it('is logged ten times a minute, and the next line counts the omitted ones', () => {
    const { clock, lines, warn } = startLog();
    for (let count = 0; count < 25; count += 1) warn({ count }, 'Rejected');
    expect(lines).toHaveLength(10);
    clock.advance(MINUTE);
    warn({ count: 25 }, 'Rejected');
    expect(lines.at(-1)).toEqual({ count: 25, omittedBefore: 15 });
  });

  it('is logged after the clock is set back', () => {
    const { clock, lines, warn } = startLog();
    for (let count = 0; count < 10; count += 1) warn({ count }, 'Rejected');
    clock.set(START - 24 * 60 * MINUTE);
    warn({ count: 10 }, 'Rejected');
    expect(lines).toHaveLength(11);
  });
});
