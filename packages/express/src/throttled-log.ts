import type { Clock } from './clock.js';
import type { Logger } from './logger.js';

/**
 * For what fails on every request while it fails: tells the operator at once, then at most once per `pauseMs`, with the
 * number of times since.
 */
export class ThrottledLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #pauseMs: number;
  #toldAt = Number.NEGATIVE_INFINITY;
  #since = 0;

  constructor({ clock, logger }: { clock: Clock; logger: Logger }, pauseMs: number) {
    this.#clock = clock;
    this.#logger = logger;
    this.#pauseMs = pauseMs;
  }

  error(message: string, details: Record<string, unknown>): void {
    this.#tell('error', message, details);
  }

  warn(message: string, details: Record<string, unknown>): void {
    this.#tell('warn', message, details);
  }

  #tell(level: 'error' | 'warn', message: string, details: Record<string, unknown>): void {
    const now = this.#clock.now();
    // A clock that was set back must not silence it.
    if (now >= this.#toldAt && now < this.#toldAt + this.#pauseMs) {
      this.#since += 1;
      return;
    }
    this.#logger[level](
      message,
      this.#since === 0 ? details : { ...details, timesSinceLastTold: this.#since },
    );
    this.#toldAt = now;
    this.#since = 0;
  }
}
