import { describe, expect, it } from 'vitest';
import { BatchQueue } from './batch-queue.js';

/** A queue with batches that end when the test says so. */
function heldQueue({ maxSize = 10, concurrency = 1 } = {}) {
  const batches: { items: readonly string[]; end(error?: Error): void }[] = [];
  const queue = new BatchQueue<string, string>({
    ...{ maxSize, concurrency, gatherMs: 5 },
    isComplete: () => false,
    run: (items) =>
      new Promise((resolve, reject) => {
        const results = items.map((item) => item.toUpperCase());
        batches.push({ items, end: (error) => (error === undefined ? resolve(results) : reject(error)) });
      }),
  });
  return { batches, queue, started: (count: number) => expect.poll(() => batches.length).toBe(count) };
}

describe('queue of batches', () => {
  it('handles items that arrive together at once, and returns the result of each', async () => {
    const { batches, queue, started } = heldQueue();
    const results = Promise.all(['a', 'b', 'c'].map((item) => queue.add(item)));
    await started(1);
    expect(batches[0]?.items).toEqual(['a', 'b', 'c']);
    batches[0]?.end();
    expect(await results).toEqual(['A', 'B', 'C']);
  });

  it('gathers the items that arrive during a batch, in their order, up to its size', async () => {
    const { batches, queue, started } = heldQueue({ maxSize: 2 });
    const results = ['a'].map((item) => queue.add(item));
    await started(1);
    results.push(...['b', 'c', 'd'].map((item) => queue.add(item)));
    for (const count of [1, 2, 3]) {
      await started(count);
      batches[count - 1]?.end();
    }
    expect(batches.map(({ items }) => items)).toEqual([['a'], ['b', 'c'], ['d']]);
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('runs no more batches at once than its limit', async () => {
    const { batches, queue, started } = heldQueue({ maxSize: 1, concurrency: 2 });
    const results = ['a', 'b', 'c'].map((item) => queue.add(item));
    await started(2);
    batches[0]?.end();
    await started(3);
    for (const { end } of batches) end();
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
  });

  it('rejects all items of a failed batch, and handles an item alone if asked', async () => {
    const { batches, queue, started } = heldQueue();
    const failed = Promise.allSettled(['a', 'b'].map((item) => queue.add(item)));
    await started(1);
    batches[0]?.end(new Error('no'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const results = ['a', 'b', 'c'].map((item) => queue.add(item, { alone: item === 'b' }));
    for (const count of [2, 3]) {
      await started(count);
      batches[count - 1]?.end();
    }
    expect(batches.slice(1).map(({ items }) => items)).toEqual([['a', 'c'], ['b']]);
    await Promise.all(results);
  });
});
