import { expect, it } from 'vitest';
import { RetryQueue } from '../src/platform/retry-queue.js';

it('joins attempts with the same key, and resolves all of them', async () => {
  const queue = new RetryQueue();
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
  };
  await Promise.all(Array.from({ length: 10 }, () => queue.add('a session', work)));
  expect(tries).toBe(2);
  await queue.add('a session', work);
  expect(tries).toBe(3);
});

it('rejects more than 10,000 pending entries', async () => {
  const queue = new RetryQueue();
  const never = () => Promise.reject(new Error('down'));
  for (let key = 0; key < 10_000; key += 1) queue.add(`${key}`, never).catch(() => {});
  await expect(queue.add('one more', never)).rejects.toThrow('10000 entries');
});
