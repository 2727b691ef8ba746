/** What {@link Deadline.race} gives when the time is over first. */
export const LATE = Symbol('late');

/** The end of the time in which a delivery must be answered. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #over: Promise<typeof LATE>;

  constructor(milliseconds: number) {
    this.#over = new Promise((resolve) => {
      this.#controller.signal.addEventListener('abort', () => resolve(LATE), { once: true });
    });
    this.#timer = setTimeout(
      () =>
        this.#controller.abort(new DOMException('The time to answer the webhook is over.', 'TimeoutError')),
      milliseconds,
    );
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The promise, or `LATE` when the time is over before it settles; what becomes of it then is the caller's to see to. */
  race<Value>(promise: Promise<Value>): Promise<Value | typeof LATE> {
    return Promise.race([promise, this.#over]);
  }

  /** Stops the clock. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
