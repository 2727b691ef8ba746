import type { Writable } from 'node:stream';
import type { pino as pinoLogger } from 'pino';
import type { Logger } from './logger.js';
import { redactingLogger } from './redaction.js';

/** Lowest level that is logged. `silent` logs nothing. */
export type LogLevel = 'info' | 'warn' | 'error' | 'silent';

/** Options of {@link openJsonLogger}. */
export interface JsonLoggerOptions {
  /** @default "info", which includes one line per request */
  level?: LogLevel;
  /** @default standard output, written synchronously: no line is lost when the process ends */
  destination?: Pick<Writable, 'write'>;
}

/**
 * Creates a logger that writes lines of JSON with pino: `level`, `time` (ISO-8601), `pid`, `msg` and the fields. Secrets are
 * redacted by field name and by format; see `redaction.ts`.
 */
export async function openJsonLogger({
  level = 'info',
  destination,
}: JsonLoggerOptions = {}): Promise<Logger> {
  // Loaded on demand: servers with another logger start faster.
  const { pino } = await import('pino');
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return redactingLogger(pino(options, destination ?? standardOutput(pino)));
}

/** Maximum size of lines that wait for a full disk, in bytes. Later ones are dropped. */
const WAITING_BYTES = 1024 * 1024;

/** Writes to standard output. A full disk for the log must not end the service. */
function standardOutput(pino: typeof pinoLogger): Pick<Writable, 'write'> {
  const output = pino.destination({ fd: 1, sync: true, maxLength: WAITING_BYTES });
  let isBroken = false;
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (!isBroken)
      process.stderr.write(`The log cannot be written (${code}). Lines are lost until it can.\n`);
    isBroken = true;
  });
  return output;
}
