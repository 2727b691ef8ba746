import { describe, expect, it } from 'vitest';
import { timeOrderedId } from './secrets.js';

describe('timeOrderedId', () => {
  it('has the time of RFC 9562, appendix A.6, the version 7 and the variant of all UUIDs', () => {
    const id = timeOrderedId(Date.parse('2022-02-22T14:22:22.000-05:00'));
    expect(id).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sorts by time as text', () => {
    const times = [0, 1, 15, 16, 2 ** 32, Date.parse('2026-11-24'), 2 ** 48 - 1];
    const ids = times.map(timeOrderedId);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) expect(id).toHaveLength(36);
  });

  it('differs between calls of one millisecond', () => {
    const ids = Array.from({ length: 1_000 }, () => timeOrderedId(1));
    expect(new Set(ids).size).toBe(1_000);
  });
});
