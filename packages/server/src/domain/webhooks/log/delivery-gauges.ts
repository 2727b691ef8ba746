import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { BACKLOG_LIMIT, readDeliveryBacklog } from './delivery-backlog.js';

const HELP = {
  latchkey_webhook_deliveries_pending: `Pending webhook deliveries, up to ${BACKLOG_LIMIT}.`,
  latchkey_webhook_oldest_pending_seconds: 'Age of the oldest pending webhook delivery; 0 if there is none.',
  latchkey_webhook_delivery_lag_seconds:
    'Time by which the most overdue webhook delivery is late; 0 if none is due.',
};

/** Returns the gauges of pending webhook deliveries, for the service's metrics. */
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
