import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 250;
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * Retries in the background, with exponential backoff, until `work` succeeds. Doesn't keep the process alive.
 * @param maxPauseMs longest pause, plus or minus 25 percent of jitter.
 * @default maxPauseMs 5000
 * @throws the last error, ten minutes after the first attempt.
 */
export async function retry(work: () => Promise<void>, { maxPauseMs = 5_000 } = {}): Promise<void> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    await pause(pauseMs * (0.75 + Math.random() / 2), undefined, { ref: false });
    try {
      return await work();
    } catch (error) {
      if (performance.now() - startedAt > GIVE_UP_AFTER_MS) throw error;
    }
  }
}

/** Limits the memory that a long outage of a busy app can take. */
const MAX_PENDING = 10_000;

/** Runs {@link retry} for many keys, with at most one attempt in progress for each key. */
export class RetryQueue {
  readonly #pending = new Map<string, Promise<void>>();

  /**
   * Starts retrying, or joins the retry in progress for the same key. Otherwise a request that is repeated during an
   * outage would repeat its work just as often afterwards.
   * @throws Error if the queue is full; otherwise like {@link retry}.
   */
  add(key: string, work: () => Promise<void>, options: { maxPauseMs?: number } = {}): Promise<void> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    if (this.#pending.size >= MAX_PENDING) {
      return Promise.reject(new Error(`The retry queue is full (${MAX_PENDING} entries).`));
    }
    const started = retry(work, options).finally(() => this.#pending.delete(key));
    this.#pending.set(key, started);
    return started;
  }
}
