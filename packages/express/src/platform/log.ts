import type { Clock } from './clock.js';

/**
 * Receives the messages for the operator: why a sign-in failed, why the service did not respond. Visitors never see
 * them. They never contain a token, code, secret or cookie. `console` fits, and so does pino behind a small adapter.
 */
export interface Logger {
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** Wraps a logger so that its own errors are dropped: a failing logger must not make a completed operation fail. */
export function safeLogger(logger: Logger): Logger {
  const write = (level: keyof Logger, message: string, details: Record<string, unknown> | undefined) => {
    try {
      // An async function also satisfies the interface.
      const returned: unknown = logger[level](message, details);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // There is no second place to log to.
    }
  };
  return {
    warn: (message, details) => write('warn', message, details),
    error: (message, details) => write('error', message, details),
  };
}

/** Writes to standard error, one line for each message. Used by default. */
export const consoleLogger: Logger = {
  // biome-ignore lint/suspicious/noConsole: the only place that writes to the console, when no logger is configured.
  warn: (message, details) => console.warn(`[latchkey] ${message}`, ...(details ? [details] : [])),
  // biome-ignore lint/suspicious/noConsole: see above.
  error: (message, details) => console.error(`[latchkey] ${message}`, ...(details ? [details] : [])),
};

/**
 * Appends the command that explains a message.
 * @param code heading of the entry in docs/troubleshooting.md. A test compares all codes with the headings.
 */
export function logMessage(code: string, message: string): string {
  return `${message} See: latchkey explain ${code}`;
}

/**
 * Limits a message that repeats on every request to one per `pauseMs`. The first is logged at once. Later ones carry the
 * number of messages that were suppressed in between.
 */
export class ThrottledLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #pauseMs: number;
  #lastLoggedAt = Number.NEGATIVE_INFINITY;
  #suppressed = 0;

  constructor({ clock, logger }: { clock: Clock; logger: Logger }, pauseMs: number) {
    this.#clock = clock;
    this.#logger = logger;
    this.#pauseMs = pauseMs;
  }

  error(message: string, details: Record<string, unknown>): void {
    this.#log('error', message, details);
  }

  warn(message: string, details: Record<string, unknown>): void {
    this.#log('warn', message, details);
  }

  #log(level: 'error' | 'warn', message: string, details: Record<string, unknown>): void {
    const now = this.#clock.now();
    // The lower bound keeps a clock that was set back from silencing the log.
    if (now >= this.#lastLoggedAt && now < this.#lastLoggedAt + this.#pauseMs) {
      this.#suppressed += 1;
      return;
    }
    this.#logger[level](
      message,
      this.#suppressed === 0 ? details : { ...details, suppressedSinceLast: this.#suppressed },
    );
    this.#lastLoggedAt = now;
    this.#suppressed = 0;
  }
}
