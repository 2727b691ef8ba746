/**
 * Map limited to roughly `capacity` entries; the least recently used ones are dropped. It keeps two generations instead
 * of a linked list, so that a hit on a recent entry costs one lookup. Every request makes such lookups.
 */
export class BoundedMap<Key, Value> {
  readonly #generationSize: number;
  #recent = new Map<Key, Value>();
  #previous = new Map<Key, Value>();

  /** @param capacity Maximum number of entries. At least the most recently used half is always kept. */
  constructor(capacity: number) {
    this.#generationSize = Math.max(1, Math.floor(capacity / 2));
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const previous = this.#previous.get(key);
    if (previous !== undefined) this.set(key, previous);
    return previous;
  }

  has(key: Key): boolean {
    return this.#recent.has(key) || this.#previous.has(key);
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#generationSize && !this.#recent.has(key)) {
      this.#previous = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }

  delete(key: Key): void {
    this.#recent.delete(key);
    this.#previous.delete(key);
  }

  *[Symbol.iterator](): IterableIterator<[Key, Value]> {
    yield* this.#recent;
    for (const entry of this.#previous) if (!this.#recent.has(entry[0])) yield entry;
  }

  get size(): number {
    let size = this.#recent.size;
    for (const key of this.#previous.keys()) if (!this.#recent.has(key)) size += 1;
    return size;
  }
}
