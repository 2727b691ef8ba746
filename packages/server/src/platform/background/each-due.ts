import type { Logger } from '../logging/logger.js';

/** Rows read at once. */
export const PAGE_SIZE = 100;

/** Rows that are due, and the work on each of them. */
export interface DueRows<Row> {
  /** Reads the next {@link PAGE_SIZE} rows after this one, in an order that `handle` does not change. */
  page(after: Row | undefined): Promise<readonly Row[]>;
  /** Handles one row in its own transaction. False if another process already handled it. */
  handle(row: Row): Promise<boolean>;
  /**
   * Rows that are handled at once.
   *
   * @default 1
   */
  concurrency?: number;
  logger: Logger;
  /** Name of the work in the log. */
  name: string;
}

/** Handles each due row once and returns the number of handled rows. A failed row is logged and left for the next run. */
export async function handleEachDue<Row extends { id: string }>(
  { page, handle, logger, name, concurrency = 1 }: DueRows<Row>,
  signal: AbortSignal,
): Promise<number> {
  let handled = 0;
  let rows: readonly Row[] = [];
  do {
    rows = await page(rows.at(-1));
    const waiting = rows.values();
    await Promise.all(Array.from({ length: concurrency }, () => handleAll(waiting)));
  } while (rows.length === PAGE_SIZE && !signal.aborted);
  return handled;

  async function handleAll(waiting: Iterable<Row>): Promise<void> {
    for (const row of waiting) {
      if (signal.aborted) return;
      try {
        if (await handle(row)) handled += 1;
      } catch (error) {
        logger.error({ worker: name, id: row.id, error }, 'Background work on a row failed');
      }
    }
  }
}
