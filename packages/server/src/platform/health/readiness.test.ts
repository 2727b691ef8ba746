import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReadiness } from './readiness.js';

describe('readiness of a process', () => {
  afterEach(() => void vi.useRealTimers());

  it('fails for 30 seconds after a write found a full disk', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const readiness = createReadiness({ ping: async () => undefined, schemaFits: async () => true });
    expect(await readiness.check()).toBe('ready');
    readiness.noteWriteProblem('database is full');
    vi.advanceTimersByTime(29_999);
    expect(await readiness.check()).toBe('database is full');
    vi.advanceTimersByTime(1);
    expect(await readiness.check()).toBe('ready');
  });

  it('reports a schema that does not fit before a full disk', async () => {
    const readiness = createReadiness({ ping: async () => undefined, schemaFits: async () => false });
    readiness.noteWriteProblem('database is full');
    expect(await readiness.check()).toBe('schema does not fit this version');
  });

  it('does not wait for a schema that cannot be read', async () => {
    const never = new Promise<boolean>(() => {});
    const readiness = createReadiness({ ping: async () => undefined, schemaFits: () => never }, 10);
    expect(await readiness.check()).toBe('database does not answer');
  });

  it('reports a database that does not answer before a full disk, and the shutdown before both', async () => {
    const readiness = createReadiness({
      ping: () => Promise.reject(new Error('refused')),
      schemaFits: async () => false,
    });
    readiness.noteWriteProblem('database is full');
    expect(await readiness.check()).toBe('database does not answer');
    readiness.startClosing();
    expect(await readiness.check()).toBe('closing');
  });
});
