import type { Writable } from 'node:stream';
import type { Logger } from './logger.js';
import { redactingLogger } from './redacting-logger.js';

/** From which level on a line is written; `silent` writes none. */
export type LogLevel = 'info' | 'warn' | 'error' | 'silent';

/** Options of {@link openJsonLogger}. */
export interface JsonLoggerOptions {
  /** Default `info`: a line for each request too. */
  level?: LogLevel;
  /** Default: standard output, written at once, so that no line is lost when the process ends. */
  destination?: Pick<Writable, 'write'>;
}

/**
 * A logger that writes lines of JSON (`level`, `time` in ISO-8601, `pid`, `msg`, and the fields), by pino. Secrets are taken
 * out by field name and by look; see `redaction.ts`.
 */
export async function openJsonLogger({
  level = 'info',
  destination,
}: JsonLoggerOptions = {}): Promise<Logger> {
  // Loaded only where it is wanted: a server that is embedded starts without it.
  const { pino } = await import('pino');
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return redactingLogger(pino(options, destination ?? pino.destination({ fd: 1, sync: true })));
}
