import type { Logger } from '../logging/logger.js';

/** How many rows are read at once. */
export const PAGE_SIZE = 100;

/** One pass over the rows that are due. */
export interface Pass<Row> {
  /** The next {@link PAGE_SIZE} rows after this one, in an order that the pass itself does not change. */
  page(after: Row | undefined): Promise<readonly Row[]>;
  /** Does one, in a transaction of its own. False when somebody else has done it. */
  handle(row: Row): Promise<boolean>;
  logger: Logger;
  /** What the log calls a row that could not be done. */
  name: string;
}

/** Goes once over all that is due. A row that fails is logged and left for the next pass; it holds up no other. */
export async function handleEachDue<Row extends { id: string }>(
  { page, handle, logger, name }: Pass<Row>,
  signal: AbortSignal,
): Promise<number> {
  let done = 0;
  let rows: readonly Row[] = [];
  do {
    rows = await page(rows.at(-1));
    for (const row of rows) {
      if (signal.aborted) return done;
      try {
        if (await handle(row)) done += 1;
      } catch (error) {
        logger.error({ worker: name, id: row.id, error }, 'background work on a row failed');
      }
    }
  } while (rows.length === PAGE_SIZE);
  return done;
}
