import type { Logger } from '../platform/logging/logger.js';

/** One step of the shutdown. */
export interface ClosingStep {
  /** Name for the log, for example `database`. */
  readonly name: string;
  close(): Promise<unknown>;
}

/**
 * Runs the steps one after another. A step that fails is logged, and the next step runs all the same.
 *
 * @throws the first error, after all steps have run.
 */
export async function closeInOrder(steps: readonly ClosingStep[], logger: Logger): Promise<void> {
  const errors: unknown[] = [];
  for (const { name, close } of steps) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
      logger.error({ error, step: name }, 'Shutdown step failed');
    }
  }
  if (errors.length > 0) throw errors[0];
}
