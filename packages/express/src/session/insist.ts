import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;

/** Tries again in the background, ever more slowly, until it works. Rejects with the last failure after ten minutes. */
export async function insist(work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    // It keeps no process alive that is to end.
    await pause(pauseMs * (0.75 + Math.random() / 2), undefined, { ref: false });
    try {
      return await work();
    } catch (error) {
      if (performance.now() - startedAt > GIVE_UP_AFTER_MS) throw error;
    }
  }
}
