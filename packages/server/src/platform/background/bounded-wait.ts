import { setTimeout as wait } from 'node:timers/promises';

/**
 * Resolves with the result of the work, or with `stopped` when the process stops and the grace period is over. The work itself
 * continues. Its later result is ignored.
 */
export async function unlessStopped<Result>(
  work: Promise<Result>,
  { signal, graceMs }: { signal: AbortSignal; graceMs: number },
): Promise<Result | 'stopped'> {
  const ended = new AbortController();
  try {
    return await Promise.race([work, stopped(graceMs, { signal, ended: ended.signal })]);
  } finally {
    ended.abort();
  }
}

/**
 * Resolves with the result of the work. The work itself continues after an error of the time limit. Its later result is ignored.
 *
 * @throws Error if the work takes longer than the time limit, with the name of the work.
 */
export async function withinLimit<Result>(
  work: Promise<Result>,
  { name, limitMs }: { name: string; limitMs: number },
): Promise<Result> {
  const ended = new AbortController();
  // Work that never ends must not keep the process alive.
  const expiry = wait(limitMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error(`${name} exceeded its time limit of ${limitMs} ms.`);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    ended.abort();
  }
}

/** Resolves when the process stops and the grace period is over. Never resolves if the work has ended before. */
async function stopped(
  graceMs: number,
  { signal, ended }: { signal: AbortSignal; ended: AbortSignal },
): Promise<'stopped'> {
  const never = new Promise<never>(() => undefined);
  if (!signal.aborted) {
    await new Promise((aborted) => {
      signal.addEventListener('abort', aborted, { once: true, signal: ended });
    });
  }
  await wait(graceMs, undefined, { signal: ended }).catch(() => never);
  return 'stopped';
}
