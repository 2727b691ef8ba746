import type { Clock } from './clock.js';
import type { Logger } from './logger.js';

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
