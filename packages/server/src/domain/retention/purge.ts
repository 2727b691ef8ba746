import type { Worker } from '../../platform/background/background-work.js';
import type { Clock } from '../../platform/clock.js';
import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { RETENTION, type Retention } from './retention.js';

/** Rows per statement. A small number keeps requests from waiting for the statement. */
const BATCH_SIZE = 100;

const EVERY = sql`1 = 1`;
const NONE = sql`1 = 0`;

/** Creates the worker that deletes expired rows by the rules of {@link RETENTION}. */
export function createPurge({ db, clock }: { db: Database; clock: Clock }): Worker {
  return {
    name: 'purge',
    async runOnce(signal) {
      let deleted = 0;
      for (const retention of RETENTION)
        deleted += await purgeTable(db, retention, { signal, now: clock.now() });
      return deleted;
    },
  };
}

/** Scans the table once, oldest first. Rows that are kept are not read again in this run. */
async function purgeTable(
  db: Database,
  retention: Retention,
  { signal, now }: { signal: AbortSignal; now: number },
): Promise<number> {
  const before = now - retention.keptMs;
  let deleted = 0;
  let batch: readonly EndedRow[] = [];
  do {
    if (signal.aborted) return deleted;
    batch = await readBatch(db, retention, { before, after: batch.at(-1) });
    if (batch.length > 0) deleted += await deleteBatch(db, retention, { batch, before });
  } while (batch.length === BATCH_SIZE);
  return deleted;
}

interface EndedRow {
  row_key: string;
  ended_at: number;
}

/** Position in a scan of a table. */
interface ScanPosition {
  before: number;
  after: EndedRow | undefined;
}

async function readBatch(
  db: Database,
  retention: Retention,
  { after, before }: ScanPosition,
): Promise<readonly EndedRow[]> {
  const [table, key, endsAt] = names(retention);
  const position =
    after === undefined ? EVERY : sql`(${endsAt}, ${key}) > (${after.ended_at}, ${after.row_key})`;
  const { rows } = await sql<EndedRow>`
    select ${key} as row_key, ${endsAt} as ended_at from ${table}
    where ${endsAt} <= ${before} and ${retention.only ?? EVERY} and ${position}
    order by ${endsAt}, ${key} limit ${sql.lit(BATCH_SIZE)}`.execute(db);
  return rows;
}

/** Deletes the rows of a batch that are still what they were when it was read. */
async function deleteBatch(
  db: Database,
  retention: Retention,
  { batch, before }: { batch: readonly EndedRow[]; before: number },
): Promise<number> {
  const [table, key, endsAt] = names(retention);
  const keys = sql.join(batch.map(({ row_key }) => row_key));
  const { numAffectedRows } = await sql`
    delete from ${table}
    where ${key} in (${keys}) and ${endsAt} <= ${before}
      and ${retention.only ?? EVERY} and not (${retention.unless ?? NONE})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function names({ table, key, endsAt }: Retention) {
  return [sql.table(table), sql.ref(`${table}.${key}`), sql.ref(`${table}.${endsAt}`)] as const;
}
