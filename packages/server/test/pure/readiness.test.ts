import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadiness } from '../../src/platform/health/readiness.js';

const never = () => new Promise<void>(() => undefined);

describe('readiness', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is reported while the database responds, and not when it fails', async () => {
    let fails = false;
    const readiness = createReadiness(async () => {
      if (fails) throw new Error('gone');
    });
    expect(await readiness.check()).toBe('ready');
    fails = true;
    expect(await readiness.check()).toBe('database does not answer');
    fails = false;
    expect(await readiness.check()).toBe('ready');
  });

  it('ends two seconds after a query that hangs, and sends one query for all callers', async () => {
    let asked = 0;
    const readiness = createReadiness(() => {
      asked += 1;
      return never();
    });
    const checks = Promise.all(Array.from({ length: 50 }, () => readiness.check()));
    let answers: readonly string[] | undefined;
    void checks.then((all) => {
      answers = all;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(answers).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(new Set(answers)).toEqual(new Set(['database does not answer']));
    void readiness.check();
    expect(asked).toBe(1);
  });

  it('ends permanently once the process closes, whatever the database responds', async () => {
    const readiness = createReadiness(async () => undefined);
    readiness.startClosing();
    expect(await readiness.check()).toBe('closing');
  });
});
