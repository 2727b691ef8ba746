import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { AttemptDecision } from './attempt-decision.js';
import { type EndedAttempt, recordAttempt } from './record-attempt.js';

/** Pause before the second try, in milliseconds. Each later pause is twice as long. */
const FIRST_PAUSE_MS = 100;
/** Maximum pause, in milliseconds. */
const LONGEST_PAUSE_MS = 5_000;

/** Options of {@link recordUntilStored}. */
interface RecordingOptions {
  readonly logger: Logger;
  /** Ends the tries. */
  readonly signal: AbortSignal;
  /** Current time in milliseconds since the epoch. */
  now(): number;
}

/**
 * Records an attempt, and tries again after an error until the attempt is stored. Without the record, the endpoint would
 * receive the event a second time when the lease ends.
 *
 * @throws the error of the last try once the signal aborts.
 */
export async function recordUntilStored(
  db: Database,
  attempt: EndedAttempt,
  { logger, signal, now }: RecordingOptions,
): Promise<AttemptDecision | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await recordAttempt(db, attempt, now());
    } catch (error) {
      if (signal.aborted) throw error;
      const nextWaitMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
      const { webhookId, id: deliveryId } = attempt.delivery;
      logger.warn(
        { webhookId, deliveryId, tries, nextWaitMs, error: String(error) },
        'The result of a webhook attempt was not stored; trying again',
      );
      await pause(nextWaitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
