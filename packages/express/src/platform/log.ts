import type { Clock } from './clock.js';

/**
 * Receives messages for whoever runs the app: why a sign-in failed, why the service didn't respond. Visitors never see
 * them. They never contain a token, code, secret or cookie. You can pass `console`, or pino behind a small adapter.
 */
export interface Logger {
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** Wraps a logger and drops its errors: a failing logger must not make a completed operation fail. */
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
 * @param code the entry's heading in docs/troubleshooting.md. A test compares all codes with the headings.
 */
export function logMessage(code: string, message: string): string {
  return `${message} See: latchkey explain ${code}`;
}

/**
 * Limits a message that repeats on every request to one per `pauseMs`. The first is logged at once; later ones say how
 * many were suppressed in between.
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
    // Without the lower bound, a clock that was set back would silence the log.
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
