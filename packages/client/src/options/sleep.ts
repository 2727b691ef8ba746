/** Waits for a number of milliseconds. Settles early when the signal is aborted, whether it resolves or rejects. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;

/** Waits with a timer. Rejects with the signal's reason when it is aborted. */
export const sleep: Sleep = (ms, signal) =>
  unlessAborted(signal, (waitSignal) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    waitSignal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  });

/**
 * Returns the result of the work, or rejects with the signal's reason as soon as the signal is aborted, even if the
 * work ignores it. The work gets a separate signal, so no listener stays on one that outlives it.
 */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: (workSignal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
