import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitedTooLongError, WaitingLine } from '../../src/platform/database/semaphore.js';

describe('a waiting line', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A line of one place, and what became of those who came: `waits`, `served` or `sent away`. */
  function openLine() {
    const line = new WaitingLine({ places: 1, patienceMs: 5_000, longestMs: 30_000 });
    const states: string[] = [];
    const come = () => {
      const number = states.push('waits') - 1;
      line.enter().then(
        () => (states[number] = 'served'),
        (error: unknown) =>
          (states[number] = error instanceof WaitedTooLongError ? 'sent away' : String(error)),
      );
    };
    const after = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
    return { line, states, come, after };
  }

  it('serves as many at once as it has places, in the order in which they came', async () => {
    const { line, states, come, after } = openLine();
    for (let count = 0; count < 3; count += 1) come();
    await after(0);
    expect(states).toEqual(['served', 'waits', 'waits']);
    line.leave();
    await after(0);
    expect(states).toEqual(['served', 'served', 'waits']);
    expect(line.isEmpty).toBe(false);
    line.leave();
    line.leave();
    expect(line.isEmpty).toBe(true);
  });

  it('keeps those who wait as long as it moves, and sends all of them away once nothing does', async () => {
    const { line, states, come, after } = openLine();
    for (let count = 0; count < 5; count += 1) come();
    for (let turn = 0; turn < 2; turn += 1) {
      await after(4_999);
      line.leave();
    }
    await after(4_999);
    expect(states).toEqual(['served', 'served', 'served', 'waits', 'waits']);
    await after(1);
    expect(states).toEqual(['served', 'served', 'served', 'sent away', 'sent away']);
    come();
    line.leave();
    await after(0);
    expect(states.at(-1)).toBe('served');
  });

  it('sends nobody away before their own patience is over, who comes when it has stood still for long', async () => {
    const { states, come, after } = openLine();
    come();
    await after(60_000);
    come();
    await after(4_999);
    expect(states).toEqual(['served', 'waits']);
    await after(1);
    expect(states).toEqual(['served', 'sent away']);
  });

  it('sends away who has waited for longest, though it moves, and serves the next', async () => {
    const { line, states, come, after } = openLine();
    for (let count = 0; count < 10; count += 1) come();
    for (let turn = 0; turn < 6; turn += 1) {
      await after(4_900);
      line.leave();
    }
    await after(1_000);
    come();
    line.leave();
    await after(0);
    // Seven were served in 29.4 s; at 30.4 s the next three had waited too long, and the one that had just come had not.
    expect(states).toEqual([
      ...Array.from({ length: 7 }, () => 'served'),
      ...Array.from({ length: 3 }, () => 'sent away'),
      'served',
    ]);
  });
});
