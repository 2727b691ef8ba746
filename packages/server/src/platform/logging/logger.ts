/** Structured fields of a log message. They must not contain secrets, codes, tokens or whole queries. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Log of the service. The fields come first, as in pino. */
export interface Logger {
  /**
   * Lowest level that is logged, by pino's names. The service does not assemble messages below it.
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

/** True if the logger writes messages of level info. */
export function writesInfo({ level }: Logger): boolean {
  return level === undefined || ['info', 'debug', 'trace'].includes(level);
}
