/** Whoever waited in a line was sent away: what they waited for may be there in a moment. */
export class WaitedTooLongError extends Error {
  override readonly name = 'WaitedTooLongError';
}

/** How a line is kept. */
export interface WaitingLineOptions {
  /** How many may be served at once. */
  readonly places: number;
  /** After how long without anybody being done all who wait are sent away, in milliseconds: nothing moves. */
  readonly patienceMs: number;
  /** After how long somebody is sent away though the line moves, in milliseconds. */
  readonly longestMs: number;
}

/**
 * A line in front of something that serves few at once: first come, first served. Who waits behind many who are served
 * one after another waits on; who waits behind one who never ends does not.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #waiting: { readonly since: number; enter(): void; leave(error: WaitedTooLongError): void }[] = [];
  #free: number;
  #impatience: NodeJS.Timeout | undefined;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
    this.#free = options.places;
  }

  /** Nobody is served, and nobody waits. */
  get isEmpty(): boolean {
    return this.#free === this.#options.places;
  }

  /**
   * Waits for a place, which has to be left again.
   * @throws WaitedTooLongError as the options say.
   */
  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((enter, leave) => {
      this.#waiting.push({ since: performance.now(), enter, leave });
      if (this.#waiting.length === 1) this.#beginPatience();
    });
  }

  /** Gives a place to the next one. */
  leave(): void {
    clearTimeout(this.#impatience);
    const oldest = performance.now() - this.#options.longestMs;
    while (this.#waiting[0] !== undefined && this.#waiting[0].since < oldest) {
      this.#waiting.shift()?.leave(new WaitedTooLongError('The line was too long.'));
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.enter();
    if (this.#waiting.length > 0) this.#beginPatience();
  }

  #beginPatience(): void {
    this.#impatience = setTimeout(() => {
      for (const one of this.#waiting.splice(0)) one.leave(new WaitedTooLongError('Nothing moved.'));
    }, this.#options.patienceMs);
  }
}
