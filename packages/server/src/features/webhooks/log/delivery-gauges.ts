import type { Clock } from '../../../platform/clock.js';
import { PENDING } from '../../../platform/database/lease-rows.js';
import type { Database } from '../../../platform/database/open-database.js';
import { WAITS_FOR_WEBHOOK } from '../registration/webhook-ownership.js';

/** Pending webhook deliveries, except for inactive or paused webhooks. */
interface DeliveryBacklog {
  /** Number of deliveries. {@link BACKLOG_LIMIT} means that number or more. */
  pending: number;
  /** Time at which the oldest one was recorded, in milliseconds since the epoch; null if there is none. */
  oldestCreatedAt: number | null;
  /** Time of the earliest next attempt, in milliseconds since the epoch; null if there is none. */
  nextAttemptAt: number | null;
}

/** Counting more rows would load the database for little use. */
const BACKLOG_LIMIT = 10_000;

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

const HELP = {
  latchkey_webhook_deliveries_pending: `Pending webhook deliveries, up to ${BACKLOG_LIMIT}.`,
  latchkey_webhook_oldest_pending_seconds: 'Age of the oldest pending webhook delivery; 0 if there is none.',
  latchkey_webhook_delivery_lag_seconds:
    'Time by which the most overdue webhook delivery is late; 0 if none is due.',
};

export function deliveryGauges({ db, clock }: { db: Database; clock: Clock }) {
  return {
    help: HELP,
    async read() {
      const { pending, oldestCreatedAt, nextAttemptAt } = await readDeliveryBacklog(db);
      const now = clock.now();
      const secondsSince = (ms: number | null) => (ms === null ? 0 : Math.max(0, now - ms) / 1000);
      return {
        latchkey_webhook_deliveries_pending: pending,
        latchkey_webhook_oldest_pending_seconds: secondsSince(oldestCreatedAt),
        latchkey_webhook_delivery_lag_seconds: secondsSince(nextAttemptAt),
      };
    },
  };
}
