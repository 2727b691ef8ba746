import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Events within this time cause one refresh, in milliseconds. */
const COLLECT_MS = 250;
/** Milliseconds between the end of a refresh and the next one. A busy sandbox sends hundreds of events a second. */
const PAUSE_MS = 1_000;

/** Re-reads a view's data after events: soon after the first one, and about once a second while they go on. */
export class PacedRefresh implements ReactiveController {
  readonly #load: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;
  #isAsked = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(host: ReactiveControllerHost, load: () => Promise<void>) {
    this.#load = load;
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isAsked = false;
  }

  ask(): void {
    if (this.#isLoading) this.#isAsked = true;
    else this.#timer ??= setTimeout(() => void this.#run(), this.#waitMs());
  }

  #waitMs(): number {
    return Math.max(COLLECT_MS, this.#endedAt + PAUSE_MS - performance.now());
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isLoading = true;
    try {
      await this.#load();
    } finally {
      this.#isLoading = false;
      this.#endedAt = performance.now();
    }
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.ask();
  }
}
