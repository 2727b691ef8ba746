/** Waits so many milliseconds; ends early, in any way, when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;

/** Waits by a timer. Rejects with the signal's reason as soon as it is aborted. */
export const sleep: Sleep = (ms, signal) =>
  unlessAborted(signal, (ended) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    ended.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  });

/**
 * Gives what the work gives, or rejects with the signal's reason the moment it is aborted, whether or not the work
 * heeds the signal that it is handed. That one is of this work alone: on a signal that lives as long as the process no
 * listener is left behind.
 */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const abort = () => ended.abort(signal?.reason);
  const aborted = new Promise<never>((_resolve, reject) => {
    ended.signal.addEventListener('abort', () => reject(ended.signal.reason), { once: true });
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(ended.signal), aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
