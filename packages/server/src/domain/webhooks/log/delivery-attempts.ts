import type { Selectable } from '../../../platform/database/kysely.js';
import type { Database } from '../../../platform/database/open-database.js';
import type { Schema } from '../../../platform/database/schema/schema.js';

/** Attempt to send a delivery. */
export interface WebhookAttempt {
  id: string;
  attemptedAt: number;
  durationMs: number;
  /** Null if there was no response. */
  statusCode: number | null;
  /** A sentence that says why the attempt failed; null if it succeeded. */
  failure: string | null;
}

/** Maximum number of attempts that a page shows per delivery. Resending by hand can add any number of them. */
const SHOWN_ATTEMPTS = 50;

type AttemptRow = Pick<
  Selectable<Schema['webhook_attempts']>,
  'id' | 'attempted_at' | 'duration_ms' | 'status_code' | 'failure'
>;

/** Returns the newest attempts by delivery id, newest first. */
export async function findAttempts(
  db: Database,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly WebhookAttempt[]>> {
  const attempts = new Map<string, WebhookAttempt[]>();
  if (deliveryIds.length === 0) return attempts;
  const ranked = db
    .selectFrom('webhook_attempts')
    .select(['id', 'delivery_id', 'attempted_at', 'duration_ms', 'status_code', 'failure'])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('delivery_id').orderBy('attempted_at', 'desc').orderBy('id'))
        .as('position'),
    )
    .where('delivery_id', 'in', deliveryIds)
    .as('attempt');
  const rows = await db
    .selectFrom(ranked)
    .selectAll()
    .where('position', '<=', SHOWN_ATTEMPTS)
    .orderBy('attempted_at', 'desc')
    .orderBy('id')
    .execute();
  for (const row of rows) {
    const known = attempts.get(row.delivery_id);
    if (known === undefined) attempts.set(row.delivery_id, [asAttempt(row)]);
    else known.push(asAttempt(row));
  }
  return attempts;
}

function asAttempt(row: AttemptRow): WebhookAttempt {
  return {
    id: row.id,
    attemptedAt: row.attempted_at,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    failure: row.failure,
  };
}
