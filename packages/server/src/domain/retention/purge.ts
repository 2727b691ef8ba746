import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from '../../platform/background/background-work.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { deleteBatch, deleteParts, type EndedRow, PURGE_BATCH_SIZE, readBatch } from './purge-batch.js';
import { RETENTION, type Retention } from './retention.js';

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
