import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { waitForDatabase } from './service-database.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function waiting(open: () => Promise<{ destroy(): Promise<void> }>) {
  const lines: object[] = [];
  const write = (fields: object, message: string) => void lines.push({ message, ...fields });
  const logger = { info: write, warn: write, error: write };
  const stopping = new AbortController();
  const opened = waitForDatabase(open, { host: 'db.example/service', logger, signal: stopping.signal });
  return { lines, stopping, opened };
}

describe('wait for a database', () => {
  it('retries with growing pauses, and logs each failure', async () => {
    const database = { destroy: async () => undefined };
    let attempts = 0;
    const { lines, opened } = waiting(async () => {
      attempts += 1;
      if (attempts < 3) throw new Error('could not be opened', { cause: refused });
      return database;
    });
    expect(await opened).toBe(database);
    const line = { message: 'The database is not available; trying again', host: 'db.example/service' };
    expect(lines).toEqual([
      { ...line, attempt: 1, nextWaitMs: 250, reason: 'could not be opened' },
      { ...line, attempt: 2, nextWaitMs: 500, reason: 'could not be opened' },
    ]);
  });

  it.for([
    ['a wrong password', '28P01'],
    ['a connection that pg_hba.conf forbids', '28000'],
    ['an unknown database', '3D000'],
    ['missing rights', '42501'],
    ['an untrusted certificate', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ])('rejects at once for %s', async ([, code]) => {
    const failure = new Error('could not be opened', { cause: Object.assign(new Error('no'), { code }) });
    const { lines, opened } = waiting(() => Promise.reject(failure));
    await expect(opened).rejects.toBe(failure);
    expect(lines).toEqual([]);
  });

  it('ends during a pause when the signal aborts', async () => {
    const { lines, stopping, opened } = waiting(() => Promise.reject(refused));
    await expect.poll(() => lines).toHaveLength(1);
    stopping.abort(new Error('stopped'));
    await expect(opened).rejects.toThrow('stopped');
    await pause(300);
    expect(lines).toHaveLength(1);
  });

  it('ends during an attempt when the signal aborts, and closes a database that opens later', async () => {
    const attempt = { finish: (_database: { destroy(): Promise<void> }) => {} };
    let isDestroyed = false;
    const { stopping, opened } = waiting(
      () => new Promise((resolve) => Object.assign(attempt, { finish: resolve })),
    );
    stopping.abort(new Error('stopped'));
    await expect(opened).rejects.toThrow('stopped');
    attempt.finish({
      destroy: async () => {
        isDestroyed = true;
      },
    });
    await expect.poll(() => isDestroyed).toBe(true);
  });

  it('makes no attempt when the signal was aborted before', async () => {
    let attempts = 0;
    const signal = AbortSignal.abort(new Error('stopped'));
    const logger = { info() {}, warn() {}, error() {} };
    const opened = waitForDatabase(
      async () => {
        attempts += 1;
        return { destroy: async () => undefined };
      },
      { host: 'db.example/service', logger, signal },
    );
    await expect(opened).rejects.toThrow('stopped');
    expect(attempts).toBe(0);
  });
});
