import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from '../../platform/background/background-work.js';
import type { Clock } from '../../platform/clock.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import { type RawBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { isOneOf, textList } from '../../platform/database/row-list.js';
import { RETENTION, type Retention, type RetentionPart } from './retention.js';

/** Maximum number of rows that a statement of the purge reads or deletes, rows of other tables included. */
export const PURGE_BATCH_SIZE = 100;

const EVERY = sql`1 = 1`;
const NONE = sql`1 = 0`;

/** Row whose retention is over. */
interface EndedRow {
  row_key: string;
  ended_at: number;
  /** 1 if the rule's exception applies. */
  is_kept: 0 | 1;
}

/** Reads rows whose retention is over, oldest first, after a position. */
async function readBatch(
  db: Database,
  { table, key, endsAt, only, unless }: Retention,
  { before, after }: { before: number; after: EndedRow | undefined },
): Promise<readonly EndedRow[]> {
  const [keyColumn, endColumn] = [sql.ref(`${table}.${key}`), sql.ref(`${table}.${endsAt}`)];
  const position =
    after === undefined ? EVERY : sql`(${endColumn}, ${keyColumn}) > (${after.ended_at}, ${after.row_key})`;
  const { rows } = await sql<EndedRow>`
    select ${keyColumn} as row_key, ${endColumn} as ended_at, case when ${unless ?? NONE} then 1 else 0 end as is_kept
    from ${sql.table(table)}
    where ${endColumn} <= ${before} and ${only ?? EVERY} and ${position}
    order by ${endColumn}, ${keyColumn} limit ${sql.lit(PURGE_BATCH_SIZE)}`.execute(db);
  return rows;
}

/** Deletes the rows of a batch that are still what they were when it was read. Returns their number. */
async function deleteBatch(
  db: Database,
  { table, key, endsAt, only, unless }: Retention,
  { keys, before }: { keys: readonly string[]; before: number },
): Promise<number> {
  const condition = sql`${sql.ref(`${table}.${endsAt}`)} <= ${before} and ${only ?? EVERY} and not (${unless ?? NONE})`;
  return await deleteRows(db, { table, key, keys, condition });
}

/**
 * Deletes the parts of rows, before the rows themselves. The rows would take all of their parts with them in one statement.
 *
 * @param options.parents keys of the rows.
 * @param options.signal stops between two statements.
 * @param options.rest waits after a full batch.
 */
async function deleteParts(
  db: Database,
  part: RetentionPart,
  options: { parents: readonly string[]; signal: AbortSignal; rest: () => Promise<void> },
): Promise<void> {
  const { table, key, parent } = part;
  if (options.parents.length === 0) return;
  const keyColumn = sql.ref(`${table}.${key}`);
  const parents = textList(db, options.parents);
  const condition = sql`not (${part.unless ?? NONE})`;
  while (!options.signal.aborted) {
    const { rows } = await sql<{ row_key: string }>`
      select ${keyColumn} as row_key from ${sql.table(table)}
      where ${isOneOf(db, `${table}.${parent}`, parents)} and ${condition}
      limit ${sql.lit(PURGE_BATCH_SIZE)}`.execute(db);
    const keys = rows.map(({ row_key }) => row_key);
    if (keys.length === 0) return;
    for (const inner of part.parts ?? []) await deleteParts(db, inner, { ...options, parents: keys });
    if (options.signal.aborted) return;
    const deleted = await deleteRows(db, { table, key, keys, condition });
    // Another process is deleting the others.
    if (deleted === 0 || keys.length < PURGE_BATCH_SIZE) return;
    await options.rest();
  }
}

async function deleteRows(
  db: Database,
  {
    table,
    key,
    keys,
    condition,
  }: { table: string; key: string; keys: readonly string[]; condition: RawBuilder<unknown> },
): Promise<number> {
  const keyColumn = sql.ref(`${table}.${key}`);
  const skipLocked = hasRowLocks(db) ? sql`for update of ${sql.table(table)} skip locked` : sql``;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${keyColumn} in (
      select ${keyColumn} from ${sql.table(table)}
      where ${isOneOf(db, `${table}.${key}`, textList(db, keys))} and ${condition} ${skipLocked})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/**
 * Pause after a full batch, as a multiple of the batch's time. The purge then uses a tenth of one connection at most, and less of
 * it the busier the database is.
 */
const PAUSE_PER_BATCH = 9;
/** Longest pause, in milliseconds. */
const MAX_PAUSE_MS = 1_000;
/**
 * Rows that a walk kept, per second until the next walk begins with the oldest row again. Until then, runs continue where the last
 * one ended.
 */
const KEPT_PER_SECOND = 100;

/** Walk over the ended rows of a table, oldest first. Several runs can continue it. */
interface Walk {
  /** Time at which it began with the oldest row. */
  readonly since: number;
  /** Number of rows that it read and kept. */
  kept: number;
  /** Row that it read last. */
  last: EndedRow | undefined;
}

/**
 * Creates the worker that deletes expired rows by the rules of {@link RETENTION}. Each statement deletes a small number of rows and
 * is a transaction of its own. A run that is interrupted leaves the rest to the next one. Any number of processes can run
 * it at once: each skips rows that another one deletes at the moment.
 */
export function createPurge({ db, clock }: { db: Database; clock: Clock }): Worker {
  const walks = new Map<Retention, Walk>();
  return {
    name: 'purge',
    async runOnce(signal) {
      let deleted = 0;
      for (const retention of RETENTION) {
        if (signal.aborted) break;
        const now = clock.now();
        const walk = continued(walks.get(retention), now);
        deleted += await purgeTable(db, retention, { signal, walk, now });
        walks.set(retention, walk);
      }
      return deleted;
    },
  };
}

/** Returns the walk to continue. Reading all kept rows in every run would take longer than the pause between runs. */
function continued(walk: Walk | undefined, now: number): Walk {
  const restsForMs = Math.floor((walk?.kept ?? 0) / (KEPT_PER_SECOND * 10)) * 10_000;
  if (walk !== undefined && now < walk.since + restsForMs) return walk;
  return { since: now, kept: 0, last: undefined };
}

async function purgeTable(
  db: Database,
  retention: Retention,
  { signal, walk, now }: { signal: AbortSignal; walk: Walk; now: number },
): Promise<number> {
  const before = now - retention.keptMs;
  const rest = createPacer(signal);
  let deleted = 0;
  while (!signal.aborted) {
    const batch = await readBatch(db, retention, { before, after: walk.last });
    const keys = batch.filter(({ is_kept }) => is_kept === 0).map(({ row_key }) => row_key);
    for (const part of retention.parts ?? []) await deleteParts(db, part, { parents: keys, signal, rest });
    // The rows would take the parts that are left with them.
    if (signal.aborted) break;
    const removed = keys.length === 0 ? 0 : await deleteBatch(db, retention, { keys, before });
    deleted += removed;
    walk.kept += batch.length - removed;
    walk.last = batch.at(-1) ?? walk.last;
    if (batch.length < PURGE_BATCH_SIZE) break;
    await rest();
  }
  return deleted;
}

/** Returns a function that leaves the database to requests for a multiple of the time since it was last called. */
function createPacer(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    const ms = Math.min(MAX_PAUSE_MS, PAUSE_PER_BATCH * (performance.now() - since));
    await pause(ms, undefined, { signal }).catch(() => undefined);
    since = performance.now();
  };
}
