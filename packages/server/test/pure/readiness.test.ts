import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReadiness } from '../../src/platform/health/readiness.js';

describe('readiness of a process', () => {
  afterEach(() => void vi.useRealTimers());

  it('fails for 30 seconds after a write found a full disk', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const readiness = createReadiness(async () => undefined);
    expect(await readiness.check()).toBe('ready');
    readiness.noteStorageFull();
    vi.advanceTimersByTime(29_999);
    expect(await readiness.check()).toBe('database is full');
    vi.advanceTimersByTime(1);
    expect(await readiness.check()).toBe('ready');
  });

  it('reports a database that does not answer before a full disk, and the shutdown before both', async () => {
    const readiness = createReadiness(() => Promise.reject(new Error('refused')));
    readiness.noteStorageFull();
    expect(await readiness.check()).toBe('database does not answer');
    readiness.startClosing();
    expect(await readiness.check()).toBe('closing');
  });
});
