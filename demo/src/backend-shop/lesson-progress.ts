/** Maximum number of users whose progress is kept. */
const MAX_USERS = 1_000;

/** Finished lessons by user, in memory. A real shop stores them in its database, under the same key. */
export class LessonProgress {
  readonly #finished = new Map<string, Set<string>>();

  /** @param sub `user.sub` of the session: the stable id of a user. The email address can change. */
  of(sub: string | undefined): ReadonlySet<string> {
    return (sub !== undefined && this.#finished.get(sub)) || new Set();
  }

  finish(sub: string, slug: string): void {
    const finished = this.#finished.get(sub) ?? new Set();
    finished.add(slug);
    this.#finished.delete(sub);
    this.#finished.set(sub, finished);
    const oldest = this.#finished.keys().next().value;
    if (this.#finished.size > MAX_USERS && oldest !== undefined) this.#finished.delete(oldest);
  }
}
