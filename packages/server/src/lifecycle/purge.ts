import { sql } from 'kysely';
import type { Clock } from '../clock.js';
import type { Database } from '../database/open-database.js';
import type { Worker } from './background-work.js';
import { RETENTION, type Retention } from './retention.js';

/** How many rows one statement looks at: few enough that no request waits for it long. */
const BATCH_SIZE = 500;

/** Deletes what has ended for longer than it is kept; {@link RETENTION} says what and when. */
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

/** Goes over the table once, oldest first. Rows that stay are passed by, and not looked at again in this run. */
async function purgeTable(
  db: Database,
  retention: Retention,
  { signal, now }: { signal: AbortSignal; now: number },
): Promise<number> {
  let deleted = 0;
  let batch: readonly EndedRow[] = [];
  do {
    if (signal.aborted) return deleted;
    batch = await readBatch(db, retention, { after: batch.at(-1), before: now - retention.keptMs });
    if (batch.length > 0) deleted += await deleteBatch(db, retention, batch);
  } while (batch.length === BATCH_SIZE);
  return deleted;
}

interface EndedRow {
  row_key: string;
  ended_at: number;
}

async function readBatch(
  db: Database,
  retention: Retention,
  { after, before }: { after: EndedRow | undefined; before: number },
): Promise<readonly EndedRow[]> {
  const [table, key, endsAt] = names(retention);
  const position =
    after === undefined ? sql`1 = 1` : sql`(${endsAt}, ${key}) > (${after.ended_at}, ${after.row_key})`;
  const { rows } = await sql<EndedRow>`
    select ${key} as row_key, ${endsAt} as ended_at from ${table}
    where ${endsAt} <= ${before} and ${position}
    order by ${endsAt}, ${key} limit ${sql.lit(BATCH_SIZE)}`.execute(db);
  return rows;
}

async function deleteBatch(db: Database, retention: Retention, batch: readonly EndedRow[]): Promise<number> {
  const [table, key] = names(retention);
  const keys = sql.join(batch.map(({ row_key }) => row_key));
  const stays = retention.unless ?? sql`1 = 0`;
  const { numAffectedRows } =
    await sql`delete from ${table} where ${key} in (${keys}) and not (${stays})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function names({ table, key, endsAt }: Retention) {
  return [sql.table(table), sql.ref(`${table}.${key}`), sql.ref(`${table}.${endsAt}`)] as const;
}
