/** Milliseconds between two drops. Changes in between are merged into one drop at the end. */
const DROP_PAUSE_MS = 1_000;

/**
 * Changes that make the cached memberships of many users outdated. A busy seller can cause many a second, which would
 * disable the cache, so they take effect at most once a second. None is lost: the last one always takes effect.
 */
export class ChangeWindow {
  /** Number of the change in effect. */
  #applied = 0;
  #appliedAt = Number.NEGATIVE_INFINITY;
  #waiting: number | undefined;

  /**
   * Adds a change.
   * @param request Number from the sequence of the requests.
   * @returns True if the change takes effect now.
   */
  add(request: number, now: number): boolean {
    this.#waiting = request;
    return this.latest(now) === request;
  }

  /** Returns the number of the change in effect. Responses to requests with a lower number are outdated. */
  latest(now: number): number {
    if (this.#waiting === undefined) return this.#applied;
    const age = now - this.#appliedAt;
    // A negative age means that the clock was set back.
    if (age >= 0 && age < DROP_PAUSE_MS) return this.#applied;
    this.#applied = this.#waiting;
    this.#appliedAt = now;
    this.#waiting = undefined;
    return this.#applied;
  }
}
