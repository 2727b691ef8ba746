/** Facts beside a log message. Never a secret, a code, a token or a whole query. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the service writes what happened. The fields come first, as pino and its kin take them. */
export interface Logger {
  /** From which level on it writes, by pino's names; what is below need not be put together. Default: everything. */
  readonly level?: string;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** Writes warnings and errors as one line of JSON each to standard error, and keeps quiet about the rest. */
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
