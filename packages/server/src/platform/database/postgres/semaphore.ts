/** A caller waited too long for a permit. It may try again. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

export interface SemaphoreOptions {
  readonly permits: number;
  /** If no permit is released for this long, all waiting callers are rejected, in milliseconds. */
  readonly stallTimeoutMs: number;
  /** How long one caller waits at most, even while permits are released, in milliseconds. */
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly since: number;
  resolve(): void;
  reject(error: WaitTimeoutError): void;
}

/** Two limits bound the wait: one for a stalled queue, and a longer one for a queue that moves. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #waiting: Waiter[] = [];
  #free: number;
  #parked = 0;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
    this.#free = options.permits;
  }

  get isIdle(): boolean {
    return this.#free + this.#parked === this.#options.permits;
  }

  /** Whoever has waited the longest `since` is served first. @throws WaitTimeoutError beyond one of the limits. */
  async acquire(since: number = performance.now()): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const later = this.#waiting.findIndex((waiter) => waiter.since > since);
      this.#waiting.splice(later === -1 ? this.#waiting.length : later, 0, { since, resolve, reject });
      if (this.#waiting.length === 1) this.#startStallTimer();
    });
  }

  release(): void {
    clearTimeout(this.#stallTimer);
    const oldest = performance.now() - this.#options.maxWaitMs;
    while (this.#waiting[0] !== undefined && this.#waiting[0].since < oldest) {
      this.#waiting.shift()?.reject(new WaitTimeoutError('The wait in the queue exceeded its limit.'));
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.resolve();
    if (this.#waiting.length > 0) this.#startStallTimer();
  }

  /** Withdraws a permit that is no use right now, for a while. False, with the permit held, if no other is in use. */
  park(ms: number): boolean {
    const others = this.#options.permits - this.#free - this.#parked - 1;
    if (others <= 0) return false;
    this.#parked += 1;
    setTimeout(() => {
      this.#parked -= 1;
      this.release();
    }, ms).unref();
    return true;
  }

  #startStallTimer(): void {
    this.#stallTimer = setTimeout(() => {
      for (const waiter of this.#waiting.splice(0)) {
        waiter.reject(new WaitTimeoutError('The queue did not move for too long.'));
      }
    }, this.#options.stallTimeoutMs);
  }
}
