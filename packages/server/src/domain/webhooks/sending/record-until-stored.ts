import { setTimeout as pause } from 'node:timers/promises';
import type { BatchQueue } from '../../../platform/background/batch-queue.js';
import { isLostConnection } from '../../../platform/database/postgres/lost-connection.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { AttemptDecision } from '../attempt/attempt-decision.js';
import type { EndedAttempt } from './record-attempts.js';

/** Pause before the second try, in milliseconds. Each later pause is twice as long. */
const FIRST_PAUSE_MS = 100;
/** Maximum pause, in milliseconds. */
const LONGEST_PAUSE_MS = 5_000;

/** Attempts that wait for their record. */
export type AttemptQueue = BatchQueue<EndedAttempt, AttemptDecision | undefined>;

/** Options of {@link recordUntilStored}. */
interface RecordingOptions {
  readonly logger: Logger;
  /** Ends the tries. */
  readonly signal: AbortSignal;
}

/**
 * Records an attempt, and tries again after an error until the attempt is stored. Without the record, the endpoint would
 * receive the event a second time when the lease ends. After an error other than a lost connection the attempt is recorded
 * alone, because another attempt of its batch can be the cause.
 *
 * @throws the error of the last try once the signal aborts.
 */
export async function recordUntilStored(
  queue: AttemptQueue,
  attempt: EndedAttempt,
  { logger, signal }: RecordingOptions,
): Promise<AttemptDecision | undefined> {
  let alone = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await queue.add(attempt, { alone });
    } catch (error) {
      if (signal.aborted) throw error;
      alone = !isLostConnection(error);
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
