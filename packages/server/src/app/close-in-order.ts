import type { Logger } from '../platform/logging/logger.js';

/** One step of closing the service. */
export interface ClosingStep {
  /** For the log: `the database`. */
  readonly what: string;
  end(): Promise<unknown>;
}

/**
 * Closes step by step. A step that fails is logged, and the next ones are taken all the same.
 * @throws the first failure, when all steps were taken.
 */
export async function closeInOrder(steps: readonly ClosingStep[], logger: Logger): Promise<void> {
  const failures: unknown[] = [];
  for (const { what, end } of steps) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
      logger.error({ error, what }, 'a part of the service did not close in good order');
    }
  }
  if (failures.length > 0) throw failures[0];
}
