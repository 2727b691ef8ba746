import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitedTooLongError, WaitingLine } from '../../src/platform/database/semaphore.js';

describe('semaphore', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Semaphore with one permit, and the state of each task: `waits`, `served` or `sent away`. */
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

  it('runs as many tasks at once as it has permits, in order of arrival', async () => {
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

  it('keeps tasks queued while it progresses, and rejects all of them once it stalls', async () => {
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

  it('gives a task that arrives during a stall its own full waiting time', async () => {
    const { states, come, after } = openLine();
    come();
    await after(60_000);
    come();
    await after(4_999);
    expect(states).toEqual(['served', 'waits']);
    await after(1);
    expect(states).toEqual(['served', 'sent away']);
  });

  it('rejects the task that has waited longest, even while it progresses, and runs the next', async () => {
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
    // Seven were served in 29.4 s. At 30.4 s the next three had waited too long, but the newest had not.
    expect(states).toEqual([
      ...Array.from({ length: 7 }, () => 'served'),
      ...Array.from({ length: 3 }, () => 'sent away'),
      'served',
    ]);
  });
});
