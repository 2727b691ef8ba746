import { HELD } from '../../domain/webhooks/held-delivery.js';
import type { Database } from '../database/open-database.js';

/** The webhook deliveries that are still to be made; those that wait for their webhook to be resumed do not count. */
export interface DeliveryBacklog {
  /** How many; at most {@link BACKLOG_LIMIT}, which then stands for any number above. */
  pending: number;
  /** When the oldest of them was recorded; null when there is none. Milliseconds since the epoch. */
  oldestCreatedAt: number | null;
  /** When the first of them is to be tried; null when there is none. Milliseconds since the epoch. */
  nextAttemptAt: number | null;
}

/** Counting more would cost the database more than it tells anybody. */
export const BACKLOG_LIMIT = 10_000;
/** Resolves when the database has answered. */
export async function pingDatabase(db: Database): Promise<void> {
  // A table that every version has: a database that answers but was never migrated is not ready.
  await db.selectFrom('users').select('id').limit(1).execute();
}

export async function readDeliveryBacklog(db: Database): Promise<DeliveryBacklog> {
  const { pending, oldest, next } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select(['created_at', 'next_attempt_at'])
        .where('status', '=', 'pending')
        .where('next_attempt_at', '<', HELD)
        .orderBy('next_attempt_at')
        .limit(BACKLOG_LIMIT)
        .as('backlog'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('pending'),
      fn.min<number | null>('created_at').as('oldest'),
      fn.min<number | null>('next_attempt_at').as('next'),
    ])
    .executeTakeFirstOrThrow();
  return { pending: Number(pending), oldestCreatedAt: oldest, nextAttemptAt: next };
}
