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
