import type { Clock } from './clock.js';

/**
 * Receives messages for whoever runs the app: why a sign-in failed, why the service didn't respond. Visitors never see
 * them. They never contain a token, code, secret or cookie. You can pass `console`, or pino behind a small adapter.
 */
export interface Logger {
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** `code` is the entry's heading in docs/troubleshooting.md. A test compares all codes with the headings. */
type LogEntry = [code: string, message: string, details?: Record<string, unknown>];

/** The log of an instance. */
export interface Log {
  warn(...entry: LogEntry): void;
  error(...entry: LogEntry): void;
}

/**
 * Creates a log that appends the command that explains each message. It drops the logger's errors: a failing logger must
 * not make a completed operation fail.
 */
export function createLog(logger: Logger = consoleLogger): Log {
  const writer =
    (level: keyof Logger) =>
    (...[code, message, details]: LogEntry): void => {
      try {
        // An async function also satisfies the interface.
        const returned: unknown = logger[level](`${message} See: latchkey explain ${code}`, details);
        if (returned instanceof Promise) returned.catch(() => {});
      } catch {
        // There is no second place to log to.
      }
    };
  return { warn: writer('warn'), error: writer('error') };
}

/** Writes to standard error, one line for each message. Used by default. */
const consoleLogger: Logger = {
  // biome-ignore lint/suspicious/noConsole: the only place that writes to the console, when no logger is configured.
  warn: (message, details) => console.warn(`[latchkey] ${message}`, ...(details ? [details] : [])),
  // biome-ignore lint/suspicious/noConsole: see above.
  error: (message, details) => console.error(`[latchkey] ${message}`, ...(details ? [details] : [])),
};

/**
 * Limits a message that repeats on every request to one per `pauseMs`. The first is logged at once; later ones say how
 * many were suppressed in between.
 */
export class ThrottledLog implements Log {
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #pauseMs: number;
  #lastLoggedAt = Number.NEGATIVE_INFINITY;
  #suppressed = 0;

  constructor({ clock, logger }: { clock: Clock; logger: Log }, pauseMs: number) {
    this.#clock = clock;
    this.#logger = logger;
    this.#pauseMs = pauseMs;
  }

  error(...entry: LogEntry): void {
    this.#log('error', entry);
  }

  warn(...entry: LogEntry): void {
    this.#log('warn', entry);
  }

  #log(level: 'error' | 'warn', [code, message, details = {}]: LogEntry): void {
    const now = this.#clock.now();
    // Without the lower bound, a clock that was set back would silence the log.
    if (now >= this.#lastLoggedAt && now < this.#lastLoggedAt + this.#pauseMs) {
      this.#suppressed += 1;
      return;
    }
    this.#logger[level](
      code,
      message,
      this.#suppressed === 0 ? details : { ...details, suppressedSinceLast: this.#suppressed },
    );
    this.#lastLoggedAt = now;
    this.#suppressed = 0;
  }
}
