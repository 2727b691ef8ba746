import type { Clock } from '../clock.js';
import type { LogFields, Logger } from './logger.js';

/** Number of lines in one period. Callers choose the fields, so they must not be able to fill the log. */
const LINES_MAX = 10;
const PERIOD_MS = 60_000;

/**
 * Creates a function that logs warnings which anyone can cause. It writes at most ten lines a minute. The next line after
 * that contains the number of omitted ones.
 */
export function throttledWarning({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
  let periodEndsAt = 0;
  let written = 0;
  let omitted = 0;
  return (fields: LogFields, message: string): void => {
    const now = clock.now();
    // A period that ends later was started by a clock that was ahead.
    if (now >= periodEndsAt || periodEndsAt > now + PERIOD_MS) {
      periodEndsAt = now + PERIOD_MS;
      written = 0;
    }
    if (written >= LINES_MAX) {
      omitted += 1;
      return;
    }
    written += 1;
    logger.warn({ ...fields, ...(omitted > 0 && { omittedBefore: omitted }) }, message);
    omitted = 0;
  };
}
