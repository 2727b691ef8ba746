import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 250;
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * Tries again in the background, ever more slowly, until it works. Rejects with the last failure after ten minutes.
 * @param longestPauseMs The pauses grow to this, give or take a quarter. Default 5 000.
 */
export async function insist(work: () => Promise<void>, { longestPauseMs = 5_000 } = {}): Promise<void> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    // It keeps no process alive that is to end.
    await pause(pauseMs * (0.75 + Math.random() / 2), undefined, { ref: false });
    try {
      return await work();
    } catch (error) {
      if (performance.now() - startedAt > GIVE_UP_AFTER_MS) throw error;
    }
  }
}

/** Longer outages of busy apps are no reason to fill the memory. */
const MOST_AT_ONCE = 10_000;

/** {@link insist} for many things at once: of each kind there is at most one attempt under way. */
export class Insistence {
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Begins to insist, or joins what was begun under the same key: whoever asks for something again and again during an
   * outage must not have it done as often when it is over. Rejects as `insist` does, and at once when there is too much.
   */
  start(key: string, work: () => Promise<void>, options: { longestPauseMs?: number } = {}): Promise<void> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    if (this.#running.size >= MOST_AT_ONCE) {
      return Promise.reject(new Error(`${MOST_AT_ONCE} others are being tried again already.`));
    }
    const started = insist(work, options).finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}
