/** Facts beside a log message. Never a secret, a code, a token or a whole query. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the service writes what happened. The fields come first, as pino and its kin take them. */
export interface Logger {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** Writes warnings and errors as one line of JSON each to standard error, and keeps quiet about the rest. */
export const defaultLogger: Logger = {
  info: () => undefined,
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
};

function writeLine(level: string, fields: LogFields, message: string): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`);
}
