import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { isDatabaseUnavailable } from './database-unavailable.js';

/** Pause before the second attempt, in milliseconds. Each later pause is twice as long. */
const FIRST_PAUSE_MS = 250;
/** Maximum pause, in milliseconds. After an outage, the service starts at most this much later than the database. */
const LONGEST_PAUSE_MS = 10_000;

/** Options of {@link waitForDatabase}. */
export interface WaitOptions {
  /** Host and name of the database, for the log. */
  readonly host: string;
  readonly logger: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Opens a database that may not be reachable yet: repeats the attempt, with growing pauses, until it succeeds.
 *
 * @throws the error of an attempt if waiting cannot help, such as a wrong password or an unknown database.
 * @throws the signal's reason once the signal aborts. A database that an attempt opens after that is destroyed.
 */
export async function waitForDatabase<Opened extends { destroy(): Promise<void> }>(
  open: () => Promise<Opened>,
  { host, logger, signal }: WaitOptions,
): Promise<Opened> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await openUnlessAborted(open, signal);
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      const nextWaitMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ host, attempt, nextWaitMs, reason }, 'The database is not available; trying again');
      await pause(nextWaitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Opens the database. An attempt can take as long as the connect timeout, but the signal ends the wait immediately. */
async function openUnlessAborted<Opened extends { destroy(): Promise<void> }>(
  open: () => Promise<Opened>,
  signal: AbortSignal,
): Promise<Opened> {
  const attempt = open();
  const ended = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true, signal: ended.signal });
  });
  try {
    return await Promise.race([attempt, aborted]);
  } catch (error) {
    if (signal.aborted) void attempt.then((late) => late.destroy()).catch(() => undefined);
    throw error;
  } finally {
    ended.abort();
  }
}

/** True if a later attempt can succeed. The engine's error can be the cause of one that contains the database's name. */
function isTemporary(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true;
  return error instanceof Error && isDatabaseUnavailable(error.cause);
}
