/**
 * A map that holds about `capacity` of its most recently used entries. Two generations instead of a linked list:
 * a hit in the young one costs a single lookup, and that is what happens on every request.
 */
export class BoundedMap<Key, Value> {
  readonly #generationSize: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param capacity Most entries kept; at least half of it is always the most recently used. */
  constructor(capacity: number) {
    this.#generationSize = Math.max(1, Math.floor(capacity / 2));
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  has(key: Key): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#generationSize && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  get size(): number {
    let size = this.#young.size;
    for (const key of this.#old.keys()) if (!this.#young.has(key)) size += 1;
    return size;
  }
}
