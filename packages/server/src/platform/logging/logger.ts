import type { Clock } from '../clock.js';

/** Structured fields of a log message. They must not contain secrets, codes, tokens or whole queries. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The service's log. The fields come first, as in pino. */
export interface Logger {
  /**
   * Lowest level that is logged, by pino's names. The service doesn't build messages below it.
   *
   * @default all levels
   */
  readonly level?: string;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** Logs warnings and errors to standard error, one line of JSON each. Ignores messages of level info. */
export const defaultLogger: Logger = {
  level: 'warn',
  info: () => undefined,
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
};

function writeLine(level: string, fields: LogFields, message: string): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`);
}

export function writesInfo({ level }: Logger): boolean {
  return level === undefined || ['info', 'debug', 'trace'].includes(level);
}

/** Maximum number of lines in one period. Callers choose the fields, and must not be able to fill the log. */
const LINES_MAX = 10;
const PERIOD_MS = 60_000;

/** For warnings that anyone can cause: at most ten lines a minute. The next line says how many were left out. */
export function throttledWarning({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
  let periodEndsAt = 0;
  let written = 0;
  let omitted = 0;
  return (fields: LogFields, message: string): void => {
    const now = clock.now();
    // Ignore a period that ends later: the clock was ahead when it started.
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
