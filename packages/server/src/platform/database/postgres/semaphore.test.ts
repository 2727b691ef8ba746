import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Semaphore, WaitTimeoutError } from './semaphore.js';

describe('semaphore', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A semaphore with one permit, and the state of each caller. */
  function openSemaphore() {
    const semaphore = new Semaphore({ permits: 1, stallTimeoutMs: 5_000, maxWaitMs: 30_000 });
    const states: string[] = [];
    const acquire = () => {
      const number = states.push('waiting') - 1;
      semaphore.acquire().then(
        () => (states[number] = 'acquired'),
        (error: unknown) => (states[number] = error instanceof WaitTimeoutError ? 'rejected' : String(error)),
      );
    };
    const after = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
    return { semaphore, states, acquire, after };
  }

  it('gives out its permits in the order of the calls', async () => {
    const { semaphore, states, acquire, after } = openSemaphore();
    for (let count = 0; count < 3; count += 1) acquire();
    await after(0);
    expect(states).toEqual(['acquired', 'waiting', 'waiting']);
    semaphore.release();
    await after(0);
    expect(states).toEqual(['acquired', 'acquired', 'waiting']);
    expect(semaphore.isIdle).toBe(false);
    semaphore.release();
    semaphore.release();
    expect(semaphore.isIdle).toBe(true);
  });

  it('keeps callers waiting while permits are released, and rejects all of them when none is', async () => {
    const { semaphore, states, acquire, after } = openSemaphore();
    for (let count = 0; count < 5; count += 1) acquire();
    for (let turn = 0; turn < 2; turn += 1) {
      await after(4_999);
      semaphore.release();
    }
    await after(4_999);
    expect(states).toEqual(['acquired', 'acquired', 'acquired', 'waiting', 'waiting']);
    await after(1);
    expect(states).toEqual(['acquired', 'acquired', 'acquired', 'rejected', 'rejected']);
    acquire();
    semaphore.release();
    await after(0);
    expect(states.at(-1)).toBe('acquired');
  });

  it('gives a caller its full stall timeout, even if the permit was held for long before', async () => {
    const { states, acquire, after } = openSemaphore();
    acquire();
    await after(60_000);
    acquire();
    await after(4_999);
    expect(states).toEqual(['acquired', 'waiting']);
    await after(1);
    expect(states).toEqual(['acquired', 'rejected']);
  });

  it('rejects callers beyond the maximum wait while permits are released, and serves the next one', async () => {
    const { semaphore, states, acquire, after } = openSemaphore();
    for (let count = 0; count < 10; count += 1) acquire();
    for (let turn = 0; turn < 6; turn += 1) {
      await after(4_900);
      semaphore.release();
    }
    await after(1_000);
    acquire();
    semaphore.release();
    await after(0);
    // Seven acquire a permit within 29.4 s. At 30.4 s the next three exceed the maximum wait, but the latest caller
    // doesn't.
    expect(states).toEqual([
      ...Array.from({ length: 7 }, () => 'acquired'),
      ...Array.from({ length: 3 }, () => 'rejected'),
      'acquired',
    ]);
  });

  it('withdraws a parked permit for a while, and serves first who waited longest', async () => {
    const semaphore = new Semaphore({ permits: 2, stallTimeoutMs: 5_000, maxWaitMs: 30_000 });
    const served: string[] = [];
    await semaphore.acquire();
    await semaphore.acquire();
    expect(semaphore.park(1_000)).toBe(true);
    // No other permit would be released.
    expect(semaphore.park(1_000)).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    void semaphore.acquire(10).then(() => served.push('late'));
    void semaphore.acquire(5).then(() => served.push('early'));
    await vi.advanceTimersByTimeAsync(989);
    expect(served).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(served).toEqual(['early']);
    semaphore.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toEqual(['early', 'late']);
    semaphore.release();
    semaphore.release();
    expect(semaphore.isIdle).toBe(true);
  });
});
