export interface BatchQueueOptions<Item, Result> {
  /** Handles a batch and returns a result for each item, in the same order. */
  run(batch: readonly Item[]): Promise<readonly Result[]>;
  maxSize: number;
  concurrency: number;
  /** How long an item waits at most for others to join its batch, in milliseconds. */
  gatherMs: number;
  /** True if no other item is expected soon. The batch then starts at once. */
  isComplete(waiting: number): boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly alone: boolean;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Items that arrive within a short time, or while other batches run, form a batch: batches grow with the load. */
export class BatchQueue<Item, Result> {
  readonly #options: BatchQueueOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BatchQueueOptions<Item, Result>) {
    this.#options = options;
  }

  /** With `alone`, another item's failure doesn't affect this one. @throws the batch's error. */
  add(item: Item, { alone = false } = {}): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ item, alone, resolve, reject });
    });
    this.#gather();
    return result;
  }

  #gather(): void {
    const { gatherMs, isComplete, maxSize } = this.#options;
    const waiting = this.#waiting.length;
    if (waiting === 0 || this.#timer !== undefined) return;
    const ms = waiting >= maxSize || isComplete(waiting) ? 0 : gatherMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#startBatches();
    }, ms);
  }

  #startBatches(): void {
    while (this.#waiting.length > 0 && this.#running < this.#options.concurrency) {
      this.#running += 1;
      void this.#run(this.#takeBatch()).finally(() => {
        this.#running -= 1;
        this.#gather();
      });
    }
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const [first] = this.#waiting;
    if (first?.alone) return this.#waiting.splice(0, 1);
    const batch = this.#waiting.filter(({ alone }) => !alone).slice(0, this.#options.maxSize);
    const taken = new Set(batch);
    this.#waiting = this.#waiting.filter((waiting) => !taken.has(waiting));
    return batch;
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
