import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema.js';

/** Attempt to send a delivery. */
export interface WebhookAttempt {
  attemptedAt: number;
  durationMs: number;
  /** Null if there was no response. */
  statusCode: number | null;
  /** A sentence that says why the attempt failed; null if it succeeded. */
  failure: string | null;
}

/** Returns the attempts by delivery id, newest first. */
export async function findAttempts(
  db: Database,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly WebhookAttempt[]>> {
  const attempts = new Map<string, WebhookAttempt[]>();
  if (deliveryIds.length === 0) return attempts;
  const rows = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', 'in', deliveryIds)
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

function asAttempt(row: Selectable<Schema['webhook_attempts']>): WebhookAttempt {
  return {
    attemptedAt: row.attempted_at,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    failure: row.failure,
  };
}
