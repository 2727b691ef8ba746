import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retryPause, wakeAt } from './wake-up.js';

const DAY = 24 * 3600_000;
const time = { clock: { now: () => Date.now() }, timers: globalThis };

describe('a wake-up', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 1) }));
  afterEach(() => void vi.useRealTimers());

  it('happens once, when the clock shows its time', () => {
    const callback = vi.fn();
    wakeAt(time, Date.now() + 1000, callback);
    vi.advanceTimersByTime(999);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(DAY);
    expect(callback).toHaveBeenCalledOnce();
  });

  it('in more than a minute uses several timers: they stop during sleep, and a delay over 2^31 ms overflows', () => {
    const callback = vi.fn();
    const setTimeout = vi.fn((handler: () => void, delay: number) => globalThis.setTimeout(handler, delay));
    wakeAt(
      { clock: time.clock, timers: { setTimeout, clearTimeout: () => {} } },
      Date.now() + 100 * DAY,
      callback,
    );
    expect(setTimeout).toHaveBeenLastCalledWith(expect.any(Function), 60_000);
    vi.advanceTimersByTime(100 * DAY - 1);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledOnce();
    expect(setTimeout.mock.calls.every(([, delay]) => delay <= 60_000)).toBe(true);
  });

  it('for a time that has passed happens in a later task, without a negative delay', () => {
    const callback = vi.fn();
    const setTimeout = vi.fn((handler: () => void, delay: number) => globalThis.setTimeout(handler, delay));
    wakeAt({ clock: time.clock, timers: { setTimeout, clearTimeout: () => {} } }, Date.now() - 5, callback);
    expect(setTimeout).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 0);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0);
    expect(callback).toHaveBeenCalledOnce();
  });

  it('waits for the rest if its timer fires before the clock shows its time', () => {
    const callback = vi.fn();
    wakeAt(time, Date.now() + 1000, callback);
    // The clock was set back while the timer ran.
    vi.setSystemTime(Date.now() - 400);
    vi.advanceTimersByTime(1000);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(400);
    expect(callback).toHaveBeenCalledOnce();
  });

  it('whose time came while the timers slept happens within a minute', () => {
    const callback = vi.fn();
    wakeAt(time, Date.now() + 10 * 60_000, callback);
    vi.advanceTimersByTime(30_000);
    // The computer sleeps for an hour. Its timers then continue with what was left.
    vi.setSystemTime(Date.now() + 3600_000);
    vi.advanceTimersByTime(30_000);
    expect(callback).toHaveBeenCalledOnce();
  });

  it('does not happen after it was cancelled, not even after its first timer', () => {
    const callback = vi.fn();
    const cancel = wakeAt(time, Date.now() + 60 * DAY, callback);
    vi.advanceTimersByTime(30 * DAY);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60 * DAY);
    expect(callback).not.toHaveBeenCalled();
  });
});

it('a retry follows after 1, 2, 4 seconds and so on, and after a minute at most', () => {
  const pauses = Array.from({ length: 8 }, (_, index) => retryPause(index + 1) / 1000);
  expect(pauses).toStrictEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});
