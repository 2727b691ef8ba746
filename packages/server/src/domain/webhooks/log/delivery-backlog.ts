import { PENDING } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import { WAITS_FOR_WEBHOOK } from '../registration/waits-for-webhook.js';

/** Pending webhook deliveries, without those whose webhook is inactive or paused. */
export interface DeliveryBacklog {
  /** Number of deliveries. At most {@link BACKLOG_LIMIT}, which then means that number or more. */
  pending: number;
  /** Time at which the oldest one was recorded, in milliseconds since the epoch; null if there is none. */
  oldestCreatedAt: number | null;
  /** Time of the earliest next attempt, in milliseconds since the epoch; null if there is none. */
  nextAttemptAt: number | null;
}

/** Counting more rows would load the database for a number of little use. */
export const BACKLOG_LIMIT = 10_000;

export async function readDeliveryBacklog(db: Database): Promise<DeliveryBacklog> {
  const { pending, oldest, next } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select(['created_at', 'next_attempt_at'])
        .where('status', '=', PENDING)
        .where('next_attempt_at', '<', WAITS_FOR_WEBHOOK)
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
