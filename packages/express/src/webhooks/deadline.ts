/** Result of {@link Deadline.race} if the time runs out first. */
export const LATE = Symbol('late');

/** The time limit for the response to a delivery. */
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
        this.#controller.abort(
          new DOMException('The time to respond to the webhook is over.', 'TimeoutError'),
        ),
      milliseconds,
    );
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles like the promise, or resolves to `LATE` if the time runs out first. The promise itself continues. */
  race<Value>(promise: Promise<Value>): Promise<Value | typeof LATE> {
    return Promise.race([promise, this.#over]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
