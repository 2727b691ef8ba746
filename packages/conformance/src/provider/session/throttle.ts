import { setTimeout } from 'node:timers/promises';

/** Waits before each request, so that there are at most `rate` requests per second. */
export class Throttle {
  readonly #intervalMs: number;
  #next = 0;

  constructor(rate: number) {
    this.#intervalMs = 1_000 / rate;
  }

  async wait(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#intervalMs;
    if (at > now) await setTimeout(at - now);
  }
}
