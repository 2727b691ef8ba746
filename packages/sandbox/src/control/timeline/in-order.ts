import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs work after all earlier work has ended. */
export type InOrder = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue for work on all data and the clock. Work that begins inside other work runs at once, or it would wait
 * for itself.
 */
export function createInOrder(): InOrder {
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    if (inside.getStore()) return work();
    const result = last.then(() => inside.run(true, work));
    last = result.catch(() => undefined);
    return result;
  };
}
