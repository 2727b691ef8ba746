import { expect, it } from 'vitest';
import { RetryQueue } from '../src/platform/retry-queue.js';

it('what is asked for again and again under one key is tried by one, and all hear how it ended', async () => {
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

it('an outage does not fill the memory: beyond 10 000 at once it is refused', async () => {
  const queue = new RetryQueue();
  const never = () => Promise.reject(new Error('down'));
  for (let key = 0; key < 10_000; key += 1) queue.add(`${key}`, never).catch(() => {});
  await expect(queue.add('one more', never)).rejects.toThrow('10000 entries');
});
