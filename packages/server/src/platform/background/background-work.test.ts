import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackgroundWork, type Worker } from './background-work.js';

const EVERY_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a worker with a number of jobs, one per run. `hold` keeps a run from ending. */
function worker(name: string, log: string[], { pieces = 0, hold = Promise.resolve() } = {}): Worker {
  let left = pieces;
  return {
    name,
    async runOnce() {
      log.push(`${name} begins`);
      await hold;
      log.push(`${name} ends`);
      if (left === 0) return 0;
      left -= 1;
      return 1;
    },
  };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('background work', () => {
  it('starts after its first pause, runs its workers in order, and pauses again', async () => {
    const log: string[] = [];
    const work = createBackgroundWork(
      [{ workers: [worker('one', log), worker('two', log)], everyMs: EVERY_MS }],
      silent,
    );
    work.start();
    work.start();
    await vi.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(log).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const round = ['one begins', 'one ends', 'two begins', 'two ends'];
    expect(log).toEqual(round);
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(log).toEqual([...round, ...round]);
    await work.stop();
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(log).toHaveLength(8);
  });

  it('runs everything that is due when asked, started or not', async () => {
    const log: string[] = [];
    const workers = [worker('one', log, { pieces: 2 })];
    const work = createBackgroundWork([{ workers, everyMs: EVERY_MS }], silent);
    await work.runDue();
    expect(log.filter((line) => line === 'one ends')).toHaveLength(3);
  });

  it('never runs two jobs at once', async () => {
    const log: string[] = [];
    const workers = [worker('one', log, { pieces: 1 })];
    const work = createBackgroundWork([{ workers, everyMs: EVERY_MS }], silent);
    await Promise.all([work.runDue(), work.runDue()]);
    expect(log.some((line, index) => line === 'one begins' && log[index + 1] !== 'one ends')).toBe(false);
  });

  it('finishes the running job when it stops, and starts no other', async () => {
    const log: string[] = [];
    let release = () => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const workers = [worker('one', log, { hold }), worker('two', log)];
    const work = createBackgroundWork([{ workers, everyMs: EVERY_MS }], silent);
    work.start();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    const stopped = work.stop().then(() => log.push('stopped'));
    release();
    await stopped;
    expect(log).toEqual(['one begins', 'one ends', 'stopped']);
  });

  it('runs a round while another one takes long', async () => {
    const log: string[] = [];
    const endless = worker('purge', log, { hold: new Promise<void>(() => {}) });
    const work = createBackgroundWork(
      [
        { workers: [endless], everyMs: EVERY_MS },
        { workers: [worker('renewal', log)], everyMs: EVERY_MS },
      ],
      silent,
    );
    work.start();
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(log.filter((line) => line === 'purge begins')).toHaveLength(1);
    expect(log.filter((line) => line === 'renewal ends')).toHaveLength(2);
  });

  it('logs a failure, continues with the rest, and retries', async () => {
    const log: string[] = [];
    const failing: Worker = { name: 'failing', runOnce: () => Promise.reject(new Error('no disk')) };
    const errors: unknown[] = [];
    const logger = { ...silent, error: (fields: object) => void errors.push(fields) };
    const work = createBackgroundWork(
      [{ workers: [failing, worker('two', log)], everyMs: EVERY_MS }],
      logger,
    );
    work.start();
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(errors).toEqual([1, 2].map(() => ({ worker: 'failing', error: new Error('no disk') })));
    expect(log).toEqual(['two begins', 'two ends', 'two begins', 'two ends']);
    await work.stop();
  });
});
